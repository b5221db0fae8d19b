// Knows whether dist is what the sources build now, so that one check builds once and never tests an old build.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = 'dist/dev/stamp.json'

/** Read as a whole: files that are copied, and folders in which a new file changes the build. */
const FOLDERS = ['src', 'machines', 'statecharts', 'test/programs', 'docs', '.github']

/** The list of npm changes with every installed package. */
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'node_modules/.package-lock.json']

/**
 * @param {string} root
 * @param {string} folder
 */
const filesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length))

/**
 * @param {string} root
 * @param {Iterable<string>} inputs
 */
const sourcesDigest = (root, inputs) => {
  const hash = createHash('sha256')
  const paths = new Set([...FILES, ...FOLDERS.flatMap(folder => filesIn(root, folder)), ...inputs])
  for (const path of [...paths].sort()) {
    hash.update(`\0${path}\0`)
    hash.update(existsSync(join(root, path)) ? readFileSync(join(root, path)) : 'none')
  }
  return hash.digest('hex')
}

/**
 * Changes when anybody changed, added or removed a file of dist.
 * @param {string} root
 */
const outputsDigest = root => {
  const lines = filesIn(root, 'dist')
    .filter(path => path !== STAMP)
    .map(path => {
      const { size, mtimeMs } = statSync(join(root, path))
      return `${path} ${size} ${mtimeMs}`
    })
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

/**
 * The last step of a build.
 * @param {string} root
 * @param {Iterable<string>} inputs What went into the bundles, relative to the root.
 */
export const writeStamp = (root, inputs) => {
  const paths = [...inputs].sort()
  const stamp = { inputs: paths, sources: sourcesDigest(root, paths), outputs: outputsDigest(root) }
  writeFileSync(join(root, STAMP), JSON.stringify(stamp))
}

/** @param {string} root */
export const isStampFresh = root => {
  if (!existsSync(join(root, STAMP))) return false
  try {
    const { inputs, sources, outputs } = JSON.parse(readFileSync(join(root, STAMP), 'utf8'))
    return outputs === outputsDigest(root) && sources === sourcesDigest(root, inputs)
  } catch {
    // A build that was killed while it wrote its stamp counts as none.
    return false
  }
}
