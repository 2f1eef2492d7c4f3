// SPDX-License-Identifier: Apache-2.0
// Counts what passed and prints what failed; the last line is for whoever reads the log.

let passed = 0;
const failures = [];

/** Runs one named check; a thrown error is a failure with its message. */
export async function check(name, action) {
  try {
    await action();
    passed += 1;
  } catch (error) {
    failures.push(name);
    console.log(`FAILED ${name}\n  ${String(error.message).split('\n').slice(0, 12).join('\n  ')}`);
  }
}

/** Prints the closing line and returns the exit code. */
export function conclude() {
  console.log(`${passed} passed, ${failures.length} failed`);
  return failures.length === 0 && passed > 0 ? 0 : 1;
}
