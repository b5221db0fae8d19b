/**
 * Keeps compiled code beside its source, and takes it back only for that very source, as it was written, in the very build
 * of Node that made it. V8 itself compares too little: other builds of one of its versions crash on it, and so do damaged bytes.
 *
 * The file holds the code twice, then the source and the build, so that all is compared by native code: a sum over it,
 * which V8 interprets in a process that has only just started, costs as much as to load the code.
 */
import { statSync } from 'node:fs'

/** Builds of one version differ: those of distributions and those for other C libraries have programs of other sizes. */
const nodeBuild = (): Buffer => {
  const { version, platform, arch, execPath } = process
  return Buffer.from(`${version} ${platform} ${arch} ${statSync(execPath).size}`)
}

/** Gives the bytes that are written to disk. */
export const sealCode = (source: Uint8Array, code: Uint8Array): Buffer =>
  Buffer.concat([code, code, source, nodeBuild()])

/** Undefined where it is not to be used. */
export const openCode = (source: Uint8Array, sealed: Buffer): Buffer | undefined => {
  const build = nodeBuild()
  const codeEnd = (sealed.length - source.length - build.length) / 2
  if (codeEnd <= 0 || !Number.isInteger(codeEnd)) return undefined
  const code = sealed.subarray(0, codeEnd)
  const sourceAt = 2 * codeEnd
  const buildAt = sourceAt + source.length
  const isWhole =
    code.equals(sealed.subarray(codeEnd, sourceAt)) &&
    sealed.subarray(sourceAt, buildAt).equals(source) &&
    sealed.subarray(buildAt).equals(build)
  return isWhole ? code : undefined
}
