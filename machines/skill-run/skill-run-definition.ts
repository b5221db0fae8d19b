/** The skill-run machine as the runtime takes it: apart from the others, for a process that runs skills and nothing else. */
import type { Definition } from '../definition.ts'
import { skillRun } from './skill-run.ts'

export const SKILL_RUN = {
  logic: skillRun,
  version: 1,
  interrupted: (_snapshot, at) => ({ type: 'run.interrupted', at }),
  upcast: {},
} as const satisfies Definition
