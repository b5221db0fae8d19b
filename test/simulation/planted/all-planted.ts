/** All planted defects, of every profile. */
import { PLANTED_IN_DAEMON } from '../daemon/planted.ts'
import { PLANTED_IN_EVIDENCE } from '../evidence/planted.ts'
import { PLANTED_IN_FLEET } from '../fleet/planted.ts'
import { PLANTED_IN_FLOWS } from '../flows/planted.ts'
import { PLANTED_IN_RECORDINGS } from '../recordings/planted.ts'
import { PLANTED_IN_RESERVATIONS } from '../reservations/planted.ts'
import { PLANTED_IN_SESSIONS } from '../sessions/planted.ts'
import { PLANTED_IN_SKILLS } from '../skills/planted.ts'
import { PLANTED_IN_PRODUCT, type Planted } from './planted.ts'
import { PLANTED_IN_HOST_STEPS } from './planted-host-steps.ts'
import { PLANTED_IN_WORLD } from './planted-in-world.ts'
import { PLANTED_IN_PHONE_STEPS } from './planted-phone-steps.ts'
import { PLANTED_IN_QUEUE } from './planted-queue.ts'

export const PLANTED: readonly Planted[] = [
  ...PLANTED_IN_PRODUCT,
  ...PLANTED_IN_QUEUE,
  ...PLANTED_IN_HOST_STEPS,
  ...PLANTED_IN_PHONE_STEPS,
  ...PLANTED_IN_RECORDINGS,
  ...PLANTED_IN_RESERVATIONS,
  ...PLANTED_IN_EVIDENCE,
  ...PLANTED_IN_WORLD,
  ...PLANTED_IN_SKILLS,
  ...PLANTED_IN_DAEMON,
  ...PLANTED_IN_FLEET,
  ...PLANTED_IN_FLOWS,
  ...PLANTED_IN_SESSIONS,
]
