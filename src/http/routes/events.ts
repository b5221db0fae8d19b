/** GET /events: the outcomes of this listener's executions as they come, and with Last-Event-ID what was missed. */
import { failure } from '../../contracts/failures.ts'
import { refuse } from '../answer.ts'
import { readPosition } from '../events/outcome-frames.ts'
import { HANDED_OVER, headOfStream, lastEventId } from '../events/sse.ts'
import { LAST_EVENT_ID_HEADER } from '../headers.ts'
import type { RouteModule } from '../module.ts'

export const eventRoutes: RouteModule = {
  tag: 'Events',
  operations: [
    {
      method: 'get',
      path: '/events',
      summary: 'The outcomes of executions sent to this server, as server-sent events.',
      headers: { [LAST_EVENT_ID_HEADER]: 'Resumes after that event, also across a restart.' },
      answers: { events: { heartbeat: 'HeartbeatData', 'svc:result': 'ResultData', 'svc:execution': 'ExecutionData' } },
      failures: ['INVALID_QUERY', 'JOURNAL_UNAVAILABLE'],
    },
  ],
  mount(app, { outcomes }) {
    app.get('/events', c => {
      const { incoming, outgoing, streams } = c.env
      const id = lastEventId(incoming)
      const position = id === undefined ? undefined : readPosition(id)
      if (id !== undefined && position === undefined) {
        return refuse(
          failure('INVALID_QUERY', 'The header Last-Event-ID must be the id of an event of this stream.', {
            hint: 'Leave the header out to receive only new events.',
          }),
        )
      }
      if (incoming.method === 'HEAD') return headOfStream()
      let forget = () => {}
      const stream = outcomes.subscribe(outgoing, position, () => forget())
      forget = streams.add(stream.end)
      return HANDED_OVER
    })
  },
}
