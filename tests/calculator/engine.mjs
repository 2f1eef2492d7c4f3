// SPDX-License-Identifier: Apache-2.0
// What tests need of the calculator without a browser: its engine in node, and an edition's data for it.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

/** The engine of a script that `make calculator` built. */
export async function engineOf(script) {
  vm.runInThisContext(readFileSync(script, "utf8"), { filename: script });
  return globalThis.sizesheetCalculator();
}

/** What an edition of a catalog gives the engine, by the rules of a sheet. */
export function factsOf(catalog, sheet) {
  const parts = ["models", "gpus", "methods", "stacks", "prices", "purchase"];
  const files = {};
  const add = (folder, below) => {
    for (const name of readdirSync(folder)) {
      const [place, path] = [join(folder, name), below + name];
      if (statSync(place).isDirectory()) {
        if (below !== "" || parts.includes(name)) add(place, `${path}/`);
      } else if (name.endsWith(".json")) {
        files[path] = readFileSync(place, "utf8");
      }
    }
  };
  add(catalog, "");
  delete files["validation.json"];
  files[`sheets/${sheet}.json`] = readFileSync(join(catalog, `sheets/${sheet}.json`), "utf8");
  return { files, sheet, as_of: "" };
}
