/** A fleet: many hosts that answer as one service. What they tell each other, and what routes and commands show of it. */
import * as v from 'valibot'
import { dictionary, openObject } from './json/objects.ts'
import { count } from './json/scalars.ts'

export const Labels = dictionary(v.string())
export type Labels = v.InferOutput<typeof Labels>

/**
 * Hosts of different versions work together only under the same number; raise it when they no longer can. Under another
 * number a host is listed with its devices, and is sent nothing.
 */
export const FLEET_PROTOCOL = 1

/** A device as its host tells the others of it. */
export const FleetDevice = openObject({
  serial: v.string(),
  state: v.string(),
  labels: Labels,
  /** Names the phone, by whichever cable or network it is reached; absent while it cannot be asked. */
  phone: v.exactOptional(v.string()),
  /** The fencing epoch under which this host owns it; absent when it does not. */
  epoch: v.exactOptional(count),
})
export type FleetDevice = v.InferOutput<typeof FleetDevice>

/** A host describes itself in the key-value bucket of hosts, and writes the record when it changes. */
export const FleetHostRecord = openObject({
  protocol: count,
  host: v.string(),
  /** Random for each process that joins. */
  instance: v.string(),
  version: v.string(),
  pid: count,
  startedAt: count,
  draining: v.boolean(),
  /** The host has finished; absent where an earlier version says only that it drains. */
  drained: v.exactOptional(v.boolean()),
  labels: Labels,
  devices: v.array(FleetDevice),
})
export type FleetHostRecord = v.InferOutput<typeof FleetHostRecord>

/** Core message every few seconds: alive, where its record is, and how far its mirror is behind its journal. */
export const FleetBeat = openObject({
  instance: v.string(),
  /** The revision of the host's record in the bucket of hosts. */
  revision: count,
  head: count,
  mirrored: count,
  /** Serials of the devices on which something runs, or which are reserved. */
  busy: v.array(v.string()),
})
export type FleetBeat = v.InferOutput<typeof FleetBeat>

/** `cut`: this host has lost the servers. `gone`: it was not heard lately. `joining`: nothing is taken yet. */
export const FleetHostState = v.picklist(['serving', 'draining', 'drained', 'joining', 'cut', 'gone'])
export type FleetHostState = v.InferOutput<typeof FleetHostState>

export const FleetHostStatus = openObject({
  host: v.string(),
  state: FleetHostState,
  version: v.string(),
  protocol: count,
  pid: count,
  startedAt: count,
  labels: Labels,
  /** All, those that are ready, and those on which something runs. */
  devices: count,
  ready: count,
  busy: count,
  /** Records of its journal that are not mirrored yet; absent while it is not heard. */
  lag: v.exactOptional(count),
  /** Milliseconds since it was heard; absent for one that was not since this host joined. */
  lastContactMs: v.exactOptional(count),
})
export type FleetHostStatus = v.InferOutput<typeof FleetHostStatus>

export const FleetStatus = openObject({
  fleet: v.string(),
  /** The host that answers. */
  host: v.string(),
  /** True when this host reaches a NATS server; `server` is the version of that server. */
  connected: v.boolean(),
  server: v.exactOptional(v.string()),
  hosts: v.array(FleetHostStatus),
})
export type FleetStatus = v.InferOutput<typeof FleetStatus>

export const FleetStatusResponse = openObject({ ok: v.literal(true), ...FleetStatus.entries })

export const FleetHostResponse = openObject({ ok: v.literal(true), host: v.string(), state: v.string() })

/** `code` as in the failure of a request to that host. */
export const Unanswered = openObject({ host: v.string(), code: v.string() })
export type Unanswered = v.InferOutput<typeof Unanswered>

/** Absent where all have answered, and outside of a fleet. */
export const unansweredEntries = { unanswered: v.exactOptional(v.array(Unanswered)) }

/** Adds nothing to an answer when all hosts have answered. */
export const unansweredField = (unanswered: readonly Unanswered[] = []): { unanswered?: Unanswered[] } =>
  unanswered.length === 0 ? {} : { unanswered: [...unanswered] }

/** A sentence for people; undefined when all hosts have answered. */
export const unansweredSentence = (unanswered: readonly Unanswered[] = []): string | undefined =>
  unanswered.length === 0
    ? undefined
    : `Not listed, because their hosts do not answer: ${unanswered.map(({ host, code }) => `${host} (${code})`).join(', ')}.`
