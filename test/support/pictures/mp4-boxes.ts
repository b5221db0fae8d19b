/** The top-level boxes of an MP4 file, in order; one without an end is the last. */
export const boxesOf = (content: Uint8Array): string[] => {
  const bytes = Buffer.from(content)
  const types: string[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    types.push(bytes.toString('latin1', at + 4, at + 8))
    if (size < 8) break
    at += size
  }
  return types
}
