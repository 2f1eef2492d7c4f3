// SPDX-License-Identifier: Apache-2.0
// The engine as a script of a page: what stands above was made by Emscripten, and the text WASM is the engine itself,
// compressed. A page opened from a folder may load scripts and nothing else, so all of it stands here.

/** Resolves to {load(text), answer(text, number), pick(text), read(text), name(text)}; rejects where a browser cannot unpack or run it. */
globalThis.sizesheetCalculator = async () => {
  const packed = Uint8Array.from(atob("WASM"), (letter) => letter.charCodeAt(0));
  const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  const engine = await sizesheetEngine({ wasmBinary: new Uint8Array(await unpacked.arrayBuffer()) });
  const call = (name, text, ...others) => {
    const size = engine.lengthBytesUTF8(text) + 1;
    const place = engine._malloc(size);
    try {
      engine.stringToUTF8(text, place, size);
      return engine.UTF8ToString(engine[name](place, ...others));
    } finally {
      engine._free(place);
    }
  };
  return {
    load: (text) => call("_load", text),
    answer: (text, number = 1) => call("_answer", text, number),
    pick: (text) => call("_pick", text),
    read: (text) => call("_typed", text),
    name: (text) => call("_named", text),
  };
};
