/**
 * All actors as they are now: listed once for each connection, and moved by each transition that arrives; and lists
 * of executions, read again after transitions.
 */

import { signal } from '@preact/signals'
import type { AnyStateNode } from 'xstate'
import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { VersionResponse } from '../../contracts/daemon.ts'
import type { ExecutionSummariesResponse, ViewedActor, ViewedActorsResponse } from '../../contracts/doors/viewer.ts'
import type { TransitionRecord } from '../../contracts/records/actor.ts'
import { get, locked, readStream, useAnswer } from './api.ts'
import { batched, pause } from './time.ts'

const READ_AGAIN_MS = 400

/** Executions as the server lists them, read again soon after a device recorded something about one. */
export const useExecutions = (query: string, concerns: (eventType: string) => boolean = () => true) =>
  useAnswer<ExecutionSummariesResponse>(`/inspector/executions?${query}`, read => {
    const soon = batched(READ_AGAIN_MS, read)
    return onTransition(moved => {
      if (!moved || (moved.machine === 'device' && concerns(moved.event))) soon()
    })
  })

export const tagsOf = (machine: string, state: string): readonly string[] => {
  if (!Object.hasOwn(CATALOGUE, machine)) return []
  let node: AnyStateNode | undefined = CATALOGUE[machine as MachineName].logic.root as AnyStateNode
  const tags: string[] = []
  for (const name of state.split('.')) {
    node = node?.states[name]
    tags.push(...(node?.tags ?? []))
  }
  return tags
}

export type Connection = 'connecting' | 'live' | 'waiting'

export const connection = signal<Connection>('connecting')
/** Replaced at most once a frame, however much arrives. */
export const actors = signal<ReadonlyMap<string, ViewedActor>>(new Map())
/** The newest transition of each actor since the page was opened. */
export const transitions = signal<ReadonlyMap<string, TransitionRecord>>(new Map())
/** There are older actors than those that the server lists. */
export const areOlder = signal(false)
/** The newest record that the page knows of. */
export const head = signal(0)

type Listener = (transition: TransitionRecord | undefined) => void
const listeners = new Set<Listener>()
const tell: Listener = transition => {
  for (const listener of [...listeners]) listener(transition)
}

/** Tells each transition as it arrives, and `undefined` for each new connection: some may have been missed before it. */
export const onTransition = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const FRAME_MS = 16
const REFRESH_MS = 500
const RETRY_MS = { first: 250, most: 2_000 }

const knownActors = new Map<string, ViewedActor>()
const newestTransitions = new Map<string, TransitionRecord>()
let lastSeq = 0

const publish = batched(FRAME_MS, () => {
  actors.value = new Map(knownActors)
  transitions.value = new Map(newestTransitions)
  head.value = lastSeq
})

const reset = () => {
  knownActors.clear()
  newestTransitions.clear()
  lastSeq = 0
}

/** While the stream runs, it may be ahead of a list that was on its way. */
const applyList = ({ actors: listed, older }: ViewedActorsResponse) => {
  areOlder.value = older
  for (const actor of listed) if (actor.seq >= (knownActors.get(actor.id)?.seq ?? 0)) knownActors.set(actor.id, actor)
  publish()
}

/** Loads the list again: a transition does not tell the work of an actor. */
const refreshList = batched(REFRESH_MS, () => {
  get<ViewedActorsResponse>('/inspector/actors').then(applyList, () => {})
})

const applyTransition = (transition: TransitionRecord) => {
  const { seq, actor: id, machine, from, to, at } = transition
  lastSeq = Math.max(lastSeq, seq)
  const before = knownActors.get(id)
  if (before && before.seq >= seq) return publish()
  const base = before ?? { id, machine, work: {}, since: at }
  const tags = [...tagsOf(machine, to)]
  // A device that begins has work of its own, which the next list tells.
  const begins = machine === 'device' && tags.includes(IN_FLIGHT) && !before?.tags.includes(IN_FLIGHT)
  knownActors.set(id, {
    ...base,
    ...(begins ? { work: {} } : {}),
    state: to,
    tags,
    updatedAt: at,
    seq,
    since: from === to ? base.since : at,
  })
  newestTransitions.set(id, transition)
  publish()
  if (from !== to) refreshList()
  tell(transition)
}

/** The build of the server that the page came from. */
let build: string | undefined

/** A page folds by the charts it was built with: that of another build is loaded again, at the same place. */
const reloadIfRebuilt = async (signal: AbortSignal) => {
  const { buildIdentity } = await get<VersionResponse>('/version', signal)
  const found = JSON.stringify(buildIdentity)
  build ??= found
  if (found !== build) location.reload()
}

/** One connection, from the list to the end of its stream. */
const connect = async (signal: AbortSignal, onOpen: () => void) => {
  await reloadIfRebuilt(signal)
  const list = await get<ViewedActorsResponse>('/inspector/actors', signal)
  // Another journal took the place of the one that was read: its positions begin lower.
  if (list.head < lastSeq) reset()
  const isFirst = lastSeq === 0
  applyList(list)
  if (isFirst) lastSeq = list.head
  await readStream({
    path: '/actors/events?scope=host',
    after: lastSeq,
    signal,
    onOpen,
    onData: data => applyTransition(JSON.parse(data) as TransitionRecord),
  })
}

const untilUnlocked = async () => {
  let leave = () => {}
  await new Promise<void>(resolve => {
    leave = locked.subscribe(isLocked => {
      if (!isLocked) resolve()
    })
  })
  leave()
}

/** Stays connected for as long as the page is open, and resumes after the last transition it has. */
export const stayConnected = async (signal: AbortSignal): Promise<void> => {
  let wait = RETRY_MS.first
  while (!signal.aborted) {
    try {
      await connect(signal, () => {
        wait = RETRY_MS.first
        connection.value = 'live'
        tell(undefined)
      })
    } catch {
      // The connection is tried again, whatever broke it.
    }
    connection.value = 'waiting'
    await untilUnlocked()
    await pause(wait)
    wait = Math.min(RETRY_MS.most, wait * 2)
  }
}
