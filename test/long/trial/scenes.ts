/** What the trials of one run play in: one host with every door, AVDs, and a fleet. Each says what broke a law, and at the end what it went through. */
import { planOf as fleetPlanOf, LONG } from '../../fleet/chaos/plan.ts'
import { reportOf as fleetReportOf, summaryOf as fleetSummaryOf } from '../../fleet/chaos/report.ts'
import { runTrial as runFleetTrial } from '../../fleet/chaos/trial.ts'
import { judge as judgeFleet } from '../../laws/laws.ts'
import type { Story } from '../../laws/story.ts'
import { needs } from '../../support/needs.ts'
import { type EmulatorTimeline, emulatorReport, emulatorSummary, judgeEmulators } from '../emulators/laws.ts'
import { emulatorPlanOf } from '../emulators/plan.ts'
import { runEmulatorTrial } from '../emulators/trial.ts'
import { judge } from './oracle.ts'
import { planOf } from './plan.ts'
import { reportOf, summaryOf } from './report.ts'
import type { Timeline } from './timeline.ts'
import { runTrial } from './trial.ts'

export interface Scene {
  name: string
  /** One trial of it for so many that are counted; a fleet takes as long as several hosts. */
  share: number
  isPossible: boolean
  /** The report of a trial that broke a law. */
  play(seed: number, trial: number): Promise<string | undefined>
  summary(): string
}

// The processes of a home are found in /proc, and the phones of a fleet have more than one address.
const isLinux = process.platform === 'linux'

const host = (): Scene => {
  const timelines: Timeline[] = []
  return {
    name: 'host',
    share: 1,
    isPossible: isLinux,
    async play(seed, trial) {
      const plan = planOf(seed, trial)
      const timeline = await runTrial(plan)
      timelines.push(timeline)
      const violations = judge(timeline)
      return violations.length > 0 ? reportOf(plan, violations, timeline) : undefined
    },
    summary: () => summaryOf(timelines),
  }
}

const avds = (): Scene => {
  const timelines: EmulatorTimeline[] = []
  return {
    name: 'AVDs',
    share: 3,
    isPossible: isLinux && needs('adb'),
    async play(seed, trial) {
      const plan = emulatorPlanOf(seed, trial)
      const timeline = await runEmulatorTrial(plan)
      timelines.push(timeline)
      const problems = judgeEmulators(timeline)
      return problems.length > 0 ? `${JSON.stringify(plan)}\n${emulatorReport(problems, timeline)}` : undefined
    },
    summary: () => emulatorSummary(timelines),
  }
}

const fleet = (): Scene => {
  const stories: Story[] = []
  return {
    name: 'fleet',
    share: 3,
    isPossible: isLinux && needs('nats-server'),
    async play(seed, trial) {
      const plan = fleetPlanOf(seed + trial - 1, LONG)
      const story = await runFleetTrial(plan)
      stories.push(story)
      const violations = judgeFleet(story)
      return violations.length > 0 ? fleetReportOf(plan, violations, story) : undefined
    },
    summary: () => fleetSummaryOf(stories),
  }
}

export const scenes = (): Scene[] => [host(), avds(), fleet()]
