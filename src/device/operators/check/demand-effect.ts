/** Compares what an app says it did with what the screen shows. */
import type { CheckBench } from './bench.ts'
import { Breach, LeftOut } from './breach.ts'
import { lookUntil, type SeenScreen } from './settings-screen.ts'

interface Effect {
  /** True for a screen on which the action took effect. */
  isSeen(screen: SeenScreen): boolean
  /** Begins a sentence with the claim of the app. */
  claim: string
  /** The command line that does the same without the app. */
  line: string
  remedy: string
}

/**
 * The screen must show the effect. Where it does not, the host performs the action itself: the claim is false only when
 * the effect shows then, and on a phone where it never shows the check proves nothing.
 */
export const demandEffect = async (bench: CheckBench, { isSeen, claim, line, remedy }: Effect): Promise<void> => {
  if (await lookUntil(bench, isSeen)) return
  await bench.shell(line)
  if (await lookUntil(bench, isSeen)) {
    throw new Breach(`${claim}, and the screen stayed as it was; \`${line}\` changed it.`, remedy)
  }
  throw new LeftOut(`The screen of this phone does not change by \`${line}\`, so that the action cannot be seen.`)
}
