/** The place of a waiting request in the queue of its device, as the journal has it. */
import { CATALOGUE } from '../../../../machines/catalogue.ts'
import { placeIn, queueOf } from '../../../../machines/device/device-queue.ts'
import { type ActorFollower, followActor } from '../../../runtime/append-as-guest.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { deviceTarget } from './waiting-room.ts'

export const followQueue = (journal: Journal, serial: string): ActorFollower =>
  followActor(CATALOGUE.device, journal, deviceTarget(serial).id)

/** 1 for the one whose turn is next; undefined for one that does not wait. Throws JournalError. */
export const placeOf = (follower: ActorFollower, executionId: string): number | undefined =>
  placeIn(queueOf(follower.look().snapshot), executionId)
