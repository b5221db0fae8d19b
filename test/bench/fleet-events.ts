/** How long after it was recorded a transition is heard at another host, against the stream of its own. */
import { get } from 'node:http'
import type { TransitionRecord } from '../../src/contracts/records/actor.ts'
import { median } from '../support/lines.ts'
import { until, wait } from '../support/until.ts'
import { clock, type Stage } from './fleet-stage.ts'
import type { BenchRow } from './row.ts'

const CLICKS = 40
/** After the last click, before the next: streams that have been quiet for a while are slower. */
const PAUSE_MS = 150

interface Heard {
  /** Milliseconds from being recorded to being heard, by position in the journal of the host that is far. */
  late: Map<number, number>
  close(): void
}

const listen = (port: string, query: string, isWanted: (transition: TransitionRecord) => boolean): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const late = new Map<number, number>()
    const sent = get({ host: '127.0.0.1', port, path: `/actors/events${query}`, agent: false }, incoming => {
      let rest = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        const now = clock.now()
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (!line.startsWith('data: {')) continue
          const transition = JSON.parse(line.slice('data: '.length)) as TransitionRecord
          // Half a millisecond is what a whole number of them leaves out on average.
          if (isWanted(transition)) late.set(transition.seq, now - transition.at + 0.5)
        }
      })
      incoming.on('error', () => {})
      resolve({ late, close: () => void sent.destroy() })
    })
    sent.on('error', reject)
  })

export const eventRows = async ({ port, serial, click }: Stage): Promise<BenchRow[]> => {
  const isOfPhone = ({ machine }: TransitionRecord) => machine === 'device'
  const own = await listen(port('far'), '?scope=host', isOfPhone)
  const other = await listen(port('near'), '', transition => isOfPhone(transition) && transition.host === 'far')
  try {
    for (let round = 0; round < CLICKS; round += 1) {
      await click('far', 'far')
      await wait(PAUSE_MS)
    }
    const both = () => [...own.late.keys()].filter(seq => other.late.has(seq))
    await until(() => both().length >= CLICKS, `the clicks on ${serial('far')} to be heard`)
    const value = median(both().map(seq => other.late.get(seq) ?? 0))
    const floor = median(both().map(seq => own.late.get(seq) ?? 0))
    return [
      {
        name: 'a transition heard at another host',
        value,
        unit: 'ms',
        floor: `the stream of its own host (${floor.toFixed(1)} ms)`,
        ratio: value / floor,
      },
    ]
  } finally {
    own.close()
    other.close()
  }
}
