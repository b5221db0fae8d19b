/** A program: tries seeds until one of them breaks a law, and prints what broke as JSON. Arguments: profile, from, count, law. */
import type { Violation } from '../laws/laws.ts'
import type { Profile } from './plan/profile.ts'
import { isProfileName, withProfile } from './plan/profiles.ts'

export interface Broken {
  seed: number
  violations: readonly Violation[]
}

export interface TrialsResult {
  /** The first that breaks the law; without a law, any. */
  broken: Broken | undefined
  /** Seeds before it break other laws. */
  others: Broken[]
}

const [name = 'core', ...numbers] = process.argv.slice(2)
const [from = 1, count = 1, law] = numbers.map(Number)
if (!isProfileName(name)) throw new Error(`there is no profile ${name}`)

const untilBroken = async <P extends { seed: number }>(profile: Profile<P>): Promise<TrialsResult> => {
  const result: TrialsResult = { broken: undefined, others: [] }
  for (let seed = from; seed < from + count && !result.broken; seed++) {
    const { violations } = await profile.tried(profile.planOf(seed, undefined), { sqlite: false })
    if (violations.length === 0) continue
    if (law === undefined || violations.some(one => one.law === law)) result.broken = { seed, violations }
    else result.others.push({ seed, violations })
  }
  return result
}

process.stdout.write(`${JSON.stringify(await withProfile(name, untilBroken))}\n`)
