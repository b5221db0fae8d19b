/** Serves the viewer's own data: actors with their work, whole records with bodies, summaries, screens. */
import { failure } from '../../contracts/failures.ts'
import { HistoryQuery } from '../../contracts/http.ts'
import { isActor } from '../../contracts/machines.ts'
import {
  type ActorRecordsResponse,
  ExecutionSummariesQuery,
  type ExecutionSummary,
  type RecordBodyResponse,
  type ViewedActorsResponse,
} from '../../contracts/viewer.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { deviceScreen } from '../../viewer/device-screen.ts'
import { readPicture } from '../../viewer/pictures.ts'
import { type Searched, summaries } from '../../viewer/summary.ts'
import { viewedActors } from '../../viewer/viewed-actors.ts'
import { answer, refuse } from '../answer.ts'
import { answerPieces } from '../answer-pieces.ts'
import type { RouteModule } from '../module.ts'
import { readQuery } from '../query.ts'

const notFound = (id: string) => refuse(failure('ACTOR_NOT_FOUND', 'No actor has this id.', { details: { id } }))

const isKnown = (journal: Journal, id: string): boolean => {
  const newest = journal.last(id)
  return newest !== undefined && isActor(newest)
}

const startOf = (journal: Journal, actor: string) => {
  const checkpoint = journal.checkpoint(actor)
  if (!checkpoint) return {}
  const { n, seq, version, snapshot } = checkpoint
  return { start: { n, seq, version, snapshot } }
}

function* listPieces(found: Generator<ExecutionSummary, Searched>): Generator<string> {
  let count = 0
  yield '{"ok":true,"executions":['
  let next = found.next()
  for (; !next.done; next = found.next()) {
    yield `${count === 0 ? '' : ','}${JSON.stringify(next.value)}`
    count += 1
  }
  const { searched, older } = next.value
  yield `],"count":${count},"searched":${searched},"older":${older}}`
}

export const viewerDataRoutes: RouteModule = {
  mount(app, { deps: { journal, executions, clock, homeIdentity } }) {
    app.get('/inspector/actors', () => {
      // The head first: what is recorded in between is sent again, and nothing is missed.
      const head = journal.head()
      const home = homeIdentity === undefined ? {} : { home: homeIdentity }
      const response: ViewedActorsResponse = { ok: true, head, ...home, ...viewedActors(journal) }
      return answer(response)
    })

    app.get('/actors/:id/records', c => {
      const id = c.req.param('id')
      const read = readQuery(c.env.incoming.url ?? '', HistoryQuery)
      if (!read.ok) return refuse(read.error)
      if (!isKnown(journal, id)) return notFound(id)
      const { after = 0, limit } = read.query
      const found = journal.records({ actor: id, after, limit: limit + 1 })
      const records = found.slice(0, limit)
      const next = found.length > limit ? records.at(-1)?.seq : undefined
      const isCut = after === 0 && (records[0]?.n ?? 0) > 0
      const response: ActorRecordsResponse = {
        ok: true,
        records,
        ...(isCut ? startOf(journal, id) : {}),
        ...(next === undefined ? {} : { next }),
      }
      return answer(response)
    })

    app.get('/actors/:id/records/:seq/body', c => {
      const id = c.req.param('id')
      const seq = Number(c.req.param('seq'))
      if (!isKnown(journal, id)) return notFound(id)
      const [record] = Number.isSafeInteger(seq) ? journal.records({ actor: id, after: seq - 1, limit: 1 }) : []
      const body = record?.seq === seq && record.digest !== null ? journal.body(record) : undefined
      if (body === undefined)
        return refuse(failure('NOT_FOUND', 'The journal keeps no body for this record, or has deleted it.'))
      const response: RecordBodyResponse = { ok: true, body }
      return answer(response)
    })

    app.get('/inspector/executions', c => {
      const read = readQuery(c.env.incoming.url ?? '', ExecutionSummariesQuery)
      return read.ok ? answerPieces(listPieces(summaries(journal, read.query)), clock) : refuse(read.error)
    })

    app.get('/executions/:executionId/screenshots/:step', async c => {
      const executionId = c.req.param('executionId')
      const receipt = await executions.receipt(executionId)
      if (!receipt) {
        return refuse(failure('EXECUTION_NOT_FOUND', 'No receipt has this execution id.', { details: { executionId } }))
      }
      const picture = await readPicture(receipt, c.req.param('step'))
      if (!picture.ok) return refuse(failure('NOT_FOUND', picture.problem))
      const headers = {
        'Content-Type': 'image/png',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Cache-Control': 'no-cache',
      }
      return new Response(new Uint8Array(picture.png), { headers })
    })

    app.get('/inspector/devices/:serial', async c => answer(await deviceScreen(journal, c.req.param('serial'))))
  },
}
