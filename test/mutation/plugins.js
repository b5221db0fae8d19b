/** What StrykerJS is told of this house: which words only readers see, and which faults belong to a sample. */
import { createHash } from 'node:crypto'

/**
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} fileName
 * @property {unknown} location
 * @property {string} mutatorName
 * @property {string} replacement
 */

/**
 * The little of a Babel path that is read here.
 *
 * @typedef {object} Path
 * @property {{ key?: { name?: string }, callee?: { name?: string } }} node
 * @property {Path | null} parentPath
 * @property {() => boolean} isStringLiteral
 * @property {() => boolean} isObjectProperty
 * @property {() => boolean} isCallExpression
 */

/** Calls whose texts are read in pictures of charts alone; `npm run statecharts:check` compares those. */
const REASONS = ['because', 'strays']

/** @type {(path: Path) => boolean} */
const isReason = path =>
  path.isStringLiteral() &&
  path.parentPath?.isCallExpression() === true &&
  REASONS.includes(path.parentPath.node.callee?.name ?? '')

/** @type {(path: Path) => boolean} */
const isDescription = path => path.isObjectProperty() && path.node.key?.name === 'description'

const words = {
  /** @param {Path} path */
  shouldIgnore: path => (isReason(path) || isDescription(path) ? 'Only readers of a picture see it.' : undefined),
}

/** @type {(mutant: Mutant, oneIn: number) => boolean} */
const isInSample = ({ fileName, location, mutatorName, replacement }, oneIn) => {
  // Files lie in a sandbox whose name is another one in each run.
  const place = fileName.split('/').slice(-2)
  const name = JSON.stringify([place, location, mutatorName, replacement])
  return createHash('sha256').update(name).digest().readUInt32BE() % oneIn === 0
}

/** Lets one fault in so many through, the same ones in each run. StrykerJS counts the others as errors, outside of the score. */
class Sample {
  /** @type {readonly string[]} */
  static inject = []
  #oneIn = Number(process.env.SVC_MUTATION_ONE_IN ?? 1)

  async init() {}

  /** @param {readonly Mutant[]} mutants */
  async check(mutants) {
    return Object.fromEntries(
      mutants.map(mutant => [
        mutant.id,
        isInSample(mutant, this.#oneIn)
          ? { status: 'passed' }
          : { status: 'compileError', reason: 'Not in the sample.' },
      ]),
    )
  }

  /** @param {readonly Mutant[]} mutants */
  async group(mutants) {
    return [mutants.map(({ id }) => id)]
  }
}

export const strykerPlugins = [
  { kind: 'Ignore', name: 'words', value: words },
  { kind: 'Checker', name: 'sample', injectableClass: Sample },
]
