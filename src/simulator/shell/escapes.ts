/** Backslash escapes, as `printf` and `echo -e` read them. */

const NAMED: Readonly<Record<string, number>> = { a: 7, b: 8, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }

/** One escape, a run of anything else, or a lone backslash. */
const PIECE = /\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abefnrtv\\])|c)|[^\\]+|\\/g

/** The bytes that a text with escapes means. `\c` ends it: nothing after it counts. */
export const unescaped = (text: string): { bytes: Buffer; stopped: boolean } => {
  const pieces: Uint8Array[] = []
  for (const [piece, octal, hex, name] of text.matchAll(PIECE)) {
    if (piece === '\\c') return { bytes: Buffer.concat(pieces), stopped: true }
    if (octal !== undefined) pieces.push(Uint8Array.of(Number.parseInt(octal, 8) & 0xff))
    else if (hex !== undefined) pieces.push(Uint8Array.of(Number.parseInt(hex, 16)))
    else if (name !== undefined) pieces.push(Uint8Array.of(NAMED[name] ?? 0))
    else pieces.push(Buffer.from(piece))
  }
  return { bytes: Buffer.concat(pieces), stopped: false }
}
