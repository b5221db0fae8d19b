/** The actors of this host, their records, and traces made of them. */

import type { Trace } from '../../contracts/doors/viewer.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { ActorSummary } from '../../contracts/records/actor.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { isActor, WATCHED_NAMES } from '../../contracts/records/machines.ts'
import type { StandaloneHtml } from '../../runtime/files/standalone-html.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { noReceipt } from '../executions/refusals.ts'
import type { Parts } from '../parts.ts'
import { type Failed, failed, type Result, success } from '../service.ts'
import { phoneOfActor } from '../traces/actor-phone.ts'
import { loadAssets } from '../traces/assets.ts'
import { deviceScreen } from '../traces/device-screen.ts'
import { createTitles, summaries } from '../traces/summary.ts'
import { traceOfExecution, traceOfRun, withRecordings } from '../traces/trace.ts'
import { traceHtml, withPictureLinks } from '../traces/trace-html.ts'
import { viewedActors } from '../traces/viewed-actors.ts'
import type { Requests } from './groups.ts'

/** Nobody reads more. */
const ACTORS_MAX = 1_000

/** The newest record of each actor, the most recent first. */
export const recentActors = (journal: Journal): JournalRecord[] =>
  WATCHED_NAMES.flatMap(machine => journal.actors({ machine, limit: ACTORS_MAX }))
    .sort((a, b) => b.seq - a.seq)
    .slice(0, ACTORS_MAX)

const summaryOf = (journal: Journal, newest: JournalRecord): ActorSummary => {
  const { actor, machine, to, tags, at } = newest
  return { id: actor, machine, state: to, tags, updatedAt: at, ...phoneOfActor(journal, newest) }
}

const noActor = (id: string): Failed =>
  failed(
    failure('ACTOR_NOT_FOUND', 'No actor has this id.', {
      details: { id },
      hint: 'See `GET /actors` for the live and recent actors.',
    }),
  )

const noRun = (runId: string): Failed =>
  failed(
    failure('ACTOR_NOT_FOUND', 'No skill run has this id.', {
      details: { id: `skill-run:${runId}` },
      hint: 'The header Svc-Skill-Run of a run has its id; `GET /actors` lists recent ones.',
    }),
  )

const startOf = (journal: Journal, actor: string) => {
  const checkpoint = journal.checkpoint(actor)
  if (!checkpoint) return {}
  const { n, seq, version, snapshot } = checkpoint
  return { start: { n, seq, version, snapshot } }
}

/** One page of the records of an actor, and after which one the next page begins. */
const pageOf = (journal: Journal, actor: string, { after = 0, limit }: { after?: number; limit: number }) => {
  const found = journal.records({ actor, after, limit: limit + 1 })
  const records = found.slice(0, limit)
  const next = found.length > limit ? records.at(-1)?.seq : undefined
  return { records, after, next: next === undefined ? {} : { next } }
}

export const requests = ({ journal, receipts, homeIdentity, viewerFolder, recordings }: Parts): Requests<'actors'> => {
  const find = (id: string): JournalRecord | undefined => {
    const newest = journal().last(id)
    return newest && isActor(newest) ? newest : undefined
  }

  const recorded = (trace: Trace): Trace => withRecordings(trace, time => recordings().parts(time))

  const traceOf = async (executionId: string): Promise<Trace | undefined> => {
    const receipt = await (await receipts()).receipt(executionId)
    return receipt && recorded(traceOfExecution(journal(), receipt))
  }
  const linked = async (trace: Trace) => success({ ok: true as const, trace: await withPictureLinks(journal(), trace) })
  const file = async (trace: Trace): Promise<Result<StandaloneHtml>> =>
    viewerFolder === undefined
      ? failed(
          failure('NOT_FOUND', 'This server has no viewer: its page was not built.', { hint: 'Run npm run build.' }),
        )
      : success(await traceHtml(journal(), trace, loadAssets(viewerFolder)))

  const titleFor = createTitles(journal)
  return {
    'actors.list': async () =>
      success({ ok: true, actors: recentActors(journal()).map(newest => summaryOf(journal(), newest)) }),
    async 'actors.get'({ id }) {
      const newest = find(id)
      return newest ? success({ ok: true, actor: summaryOf(journal(), newest) }) : noActor(id)
    },
    async 'actors.history'({ id, ...query }) {
      if (!find(id)) return noActor(id)
      const { records, next } = pageOf(journal(), id, query)
      const events = records.map(({ seq, at, event }) => ({ seq, at, type: event.type, event }))
      return success({ ok: true, events, ...next })
    },
    async 'actors.records'({ id, ...query }) {
      if (!find(id)) return noActor(id)
      const { records, after, next } = pageOf(journal(), id, query)
      const isCut = after === 0 && (records[0]?.n ?? 0) > 0
      return success({ ok: true, records, ...(isCut ? startOf(journal(), id) : {}), ...next })
    },
    async 'actors.recordBody'({ id, seq: text }) {
      const seq = Number(text)
      if (!find(id)) return noActor(id)
      const [record] = Number.isSafeInteger(seq) ? journal().records({ actor: id, after: seq - 1, limit: 1 }) : []
      const body = record?.seq === seq && record.digest !== null ? journal().body(record) : undefined
      if (body !== undefined) return success({ ok: true, body })
      const hint = 'Large bodies are removed before their records; `GET /actors/<id>/records` lists the records.'
      return failed(failure('NOT_FOUND', `The journal holds no body for record ${text} of ${id}.`, { hint }))
    },
    async 'viewer.actors'() {
      // The head first: what is recorded in between is sent again, and nothing is missed.
      const head = journal().head()
      const home = homeIdentity === undefined ? {} : { home: homeIdentity }
      return success({ ok: true, head, ...home, ...viewedActors(journal()) })
    },
    'viewer.executions': async query => success(summaries(journal(), query, { titleFor })),
    'viewer.deviceScreen': async ({ serial }) => success(await deviceScreen(journal(), serial)),
    async 'executions.trace'({ executionId }) {
      const trace = await traceOf(executionId)
      return trace ? linked(trace) : failed(noReceipt(executionId))
    },
    async 'executions.traceFile'({ executionId }) {
      const trace = await traceOf(executionId)
      return trace ? file(trace) : failed(noReceipt(executionId))
    },
    async 'skillRuns.trace'({ runId }) {
      const found = traceOfRun(journal(), runId)
      const trace = found && recorded(found)
      return trace ? linked(trace) : noRun(runId)
    },
    async 'skillRuns.traceFile'({ runId }) {
      const found = traceOfRun(journal(), runId)
      const trace = found && recorded(found)
      return trace ? file(trace) : noRun(runId)
    },
  }
}
