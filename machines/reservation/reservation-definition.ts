/** The reservation machine as the runtime needs it; beside the catalogue, for those that load few machines. */
import type { Definition } from '../definition.ts'
import { reservation } from './reservation.ts'

export const RESERVATION = {
  logic: reservation,
  version: 1,
  interrupted: (_snapshot, at) => ({ type: 'reservation.interrupted', at }),
  upcast: {},
} satisfies Definition
