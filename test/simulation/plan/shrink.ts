/** Makes a failing plan small: leaves out what it fails without, then simplifies what is left. */
import type { Ask, Plan } from './plan.ts'

/** True when the plan breaks the law in question. */
export type Breaks<P = Plan> = (plan: P) => Promise<boolean>

type List = 'asks' | 'faults' | 'recordings' | 'turns' | 'leases'

/** All lists with a part left out: halves first, then ever smaller parts, down to single entries. */
export function* withoutParts<T>(list: readonly T[]): Generator<T[]> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < list.length; from += size) yield [...list.slice(0, from), ...list.slice(from + size)]
  }
}

const PLAIN: readonly (keyof Ask)[] = [
  'twin',
  'againAfterMs',
  'againAt',
  'cancelAfterMs',
  'cancelAt',
  'withdrawAfterMs',
  'resumes',
  'looksAfter',
  'inParts',
  'hostStep',
  'rows',
  'fails',
  'lookAfterMs',
  'lookWaitMs',
  'resumeAfterMs',
  'lease',
]

function* simplerAsks(ask: Ask): Generator<Ask> {
  for (const key of PLAIN) {
    if (ask[key] === undefined) continue
    const { [key]: _, ...simpler } = ask
    yield simpler as Ask
  }
  if (ask.beforeMs > 0) yield { ...ask, beforeMs: 0 }
  if (ask.afterMs > 0) yield { ...ask, afterMs: 0 }
}

export function* simplerPlans(plan: Plan): Generator<Plan> {
  for (const name of ['asks', 'faults', 'recordings', 'turns', 'leases'] satisfies List[]) {
    for (const list of withoutParts<unknown>(plan[name] ?? [])) yield { ...plan, [name]: list } as Plan
  }
  for (const [index, phone] of plan.phones.entries()) {
    for (const faults of withoutParts(phone.faults))
      yield { ...plan, phones: plan.phones.map((one, at) => (at === index ? { ...one, faults } : one)) }
  }
  if (plan.watchers.length > 0) yield { ...plan, watchers: [] }
  for (const [index, ask] of plan.asks.entries()) {
    for (const one of simplerAsks(ask))
      yield { ...plan, asks: plan.asks.map((each, at) => (at === index ? one : each)) }
  }
}

export interface Shrunk<P = Plan> {
  plan: P
  /** How many plans were tried. */
  runs: number
}

/** Goes on from each smaller plan that still fails, until none of its smaller ones does. */
export const shrinkBy =
  <P>(simpler: (plan: P) => Iterable<P>) =>
  async (plan: P, breaks: Breaks<P>, runsMax = 400): Promise<Shrunk<P>> => {
    let smallest = plan
    let runs = 0
    for (let isSmaller = true; isSmaller && runs < runsMax; ) {
      isSmaller = false
      for (const tried of simpler(smallest)) {
        if (runs >= runsMax) break
        runs += 1
        if (!(await breaks(tried))) continue
        smallest = tried
        isSmaller = true
        break
      }
    }
    return { plan: smallest, runs }
  }

export const shrink = shrinkBy(simplerPlans)
