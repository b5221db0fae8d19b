/** The timeline of an actor: slider, buttons and the list of its records, around chart and moment. */
import { useState } from 'preact/hooks'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { hasChart } from '../../../contracts/records/machines.ts'
import type { Highlight } from '../actors/chart.ts'
import { ChartView } from '../actors/chart-view.tsx'
import type { History } from '../actors/history.ts'
import { Slider } from '../devices/slider.tsx'
import { clockTime } from '../format.ts'
import { Moment } from '../moment.tsx'
import { CopyButton } from '../parts.tsx'
import { Rows } from '../rows.tsx'

export interface TimelineProps {
  history: History
  /** The moment that is looked at; undefined follows the newest. */
  seq: number | undefined
  onSeek(seq: number | undefined): void
  /** The parts to light up while no moment is selected: they may be ahead of the records. */
  now?: Highlight | undefined
  hasBodies: boolean
  link?: ((seq: number) => string) | undefined
}

const ROW = 26

const highlightAt = (history: History, record: JournalRecord | undefined): Highlight | undefined =>
  record && {
    machine: history.machine,
    state: record.to,
    last: { event: record.event.type, from: record.from },
  }

interface RecordRowProps {
  record: JournalRecord
  isAt: boolean
  isOther: boolean
  onPick(): void
}

const RecordRow = ({ record, isAt, isOther, onPick }: RecordRowProps) => (
  <button
    type="button"
    class={`record ${isAt ? 'at' : ''} ${isOther ? 'other' : ''} ${record.from === record.to ? 'still' : ''}`}
    aria-current={isAt ? 'true' : undefined}
    tabIndex={isAt ? 0 : -1}
    onClick={onPick}
  >
    <span class="mono muted">{record.seq}</span>
    <span class="mono muted">{clockTime(record.at)}</span>
    <span class="event">{record.event.type}</span>
    <span class="mono to">{record.from === record.to ? '' : `→ ${record.to}`}</span>
  </button>
)

export const Timeline = ({ history, seq, onSeek, now, hasBodies, link }: TimelineProps) => {
  const [other, setOther] = useState<number | undefined>(undefined)
  const { records } = history
  const size = history.size.value
  const folded = history.folded.value
  const isLoading = history.isLoading.value
  const newest = size - 1
  const index = seq === undefined ? newest : Math.max(0, history.indexOf(seq))
  const record = records[index]
  const otherIndex = other === undefined ? undefined : history.indexOf(other)
  const compared = otherIndex === undefined ? undefined : records[otherIndex]?.to
  const seek = (to: number) => {
    const found = records[Math.min(newest, Math.max(0, to))]
    if (found) onSeek(found.seq)
  }
  const isLive = seq === undefined
  const highlight = (isLive ? now : undefined) ?? highlightAt(history, record)
  const moves: readonly [string, string, () => void, boolean][] = [
    ['First record', '|◀', () => seek(0), index > 0],
    ['Previous record', '◀', () => seek(index - 1), index > 0],
    ['Next record', '▶', () => seek(index + 1), index < newest],
  ]
  return (
    <div class="timeline">
      <section class="card scrub" aria-label="Timeline controls">
        <Slider records={records} size={size} index={index} other={otherIndex} onChange={seek} />
        <div class="scrub-row">
          <div class="buttons">
            {moves.map(([label, sign, go, isOn]) => (
              <button key={label} type="button" aria-label={label} title={label} disabled={!isOn} onClick={go}>
                {sign}
              </button>
            ))}
            <button type="button" class={isLive ? 'on' : ''} aria-pressed={isLive} onClick={() => onSeek(undefined)}>
              {hasBodies ? 'Live' : 'End'}
            </button>
          </div>
          <p class="scrub-said">
            {record ? (
              <>
                <b>{record.event.type}</b> <span class="muted">{clockTime(record.at)}</span>{' '}
                <span class="muted">
                  {index + 1} of {size}
                  {isLoading ? '…' : ''}
                  {folded > 0 && folded < size ? `, ${folded} folded` : ''}
                </span>
              </>
            ) : (
              <span class="muted">{isLoading ? 'Reading the records…' : 'No records.'}</span>
            )}
          </p>
          <div class="buttons">
            <button
              type="button"
              disabled={!record}
              onClick={() => setOther(record?.seq)}
              title="Compare with this moment"
            >
              Mark A
            </button>
            {other !== undefined && (
              <button type="button" onClick={() => setOther(undefined)}>
                Clear A
              </button>
            )}
            {link && record && (
              <CopyButton
                name="Copy link"
                text={new URL(link(record.seq), location.href).href}
                title="A link to this moment"
              />
            )}
          </div>
        </div>
      </section>
      <div class="stage">
        {highlight && hasChart(highlight) && <ChartView highlight={{ ...highlight, other: compared }} />}
        <div class="side">
          <Moment history={history} index={index} other={otherIndex} hasBodies={hasBodies} />
          <section class="card records" aria-label="Records">
            <Rows label="Records" count={size} height={ROW} at={index} class="record-rows">
              {at => {
                const one = records[at]
                return (
                  one && (
                    <li key={one.seq}>
                      <RecordRow record={one} isAt={at === index} isOther={at === otherIndex} onPick={() => seek(at)} />
                    </li>
                  )
                )
              }}
            </Rows>
          </section>
        </div>
      </div>
    </div>
  )
}
