// SPDX-License-Identifier: Apache-2.0
// Makes one script of what Emscripten wrote:  pack.mjs ENGINE.js ENGINE.wasm ENGINE_SCRIPT.js OUTPUT
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [glue, wasm, script, output] = process.argv.slice(2);
const packed = gzipSync(readFileSync(wasm), { level: 9 }).toString("base64");
const words = readFileSync(script, "utf8");
const parts = words.split('"WASM"');
if (parts.length !== 2) throw new Error(`${script}: expected "WASM" once, got it ${parts.length - 1} times`);
writeFileSync(output, `${readFileSync(glue, "utf8")}\n${parts.join(`"${packed}"`)}`);
