/** Judges what a trial left behind: every violation of every law. Pure. */
import {
  answersAreTrue,
  doneIsRecorded,
  everyCallerIsAnswered,
  journalHolds,
  onceOnThePhone,
  unsentIsUndone,
  type Violation,
} from './laws.ts'
import { devicesAreFree, eventsOnce, keysRunOnce } from './recovery-laws.ts'
import type { Timeline } from './timeline.ts'

export const judge = (timeline: Timeline): Violation[] => [
  ...onceOnThePhone(timeline),
  ...answersAreTrue(timeline),
  ...unsentIsUndone(timeline),
  ...doneIsRecorded(timeline),
  ...keysRunOnce(timeline),
  ...devicesAreFree(timeline),
  ...everyCallerIsAnswered(timeline),
  ...eventsOnce(timeline),
  ...journalHolds(timeline),
]
