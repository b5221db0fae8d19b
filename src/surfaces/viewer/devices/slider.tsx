/** The slider over the records of an actor, with a strip that shows where it was busy and where something failed. */
import { useEffect, useRef } from 'preact/hooks'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { clockTime } from '../format.ts'
import { batched } from '../time.ts'

export interface SliderProps {
  records: readonly JournalRecord[]
  /** Changes with the records, which are the same array. */
  size: number
  index: number
  other: number | undefined
  onChange(index: number): void
}

const STRIP_HEIGHT = 22
const BAD = /failed|interrupted|cancelled|passed|refused|stuck/

const colour = (element: Element, name: string) => getComputedStyle(element).getPropertyValue(name).trim()

/** A column of the picture stands for the records that fall into it. */
const draw = (canvas: HTMLCanvasElement, { records, index, other }: SliderProps) => {
  const ratio = devicePixelRatio || 1
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio))
  const height = Math.round(STRIP_HEIGHT * ratio)
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return
  const [busy, bad, calm, mark, second] = ['--busy', '--bad', '--calm', '--accent', '--second'].map(name =>
    colour(canvas, name),
  )
  const perRecord = width / Math.max(1, records.length)
  const step = Math.max(1, Math.floor(records.length / width))
  for (let at = 0; at < records.length; at += step) {
    const record = records[at]
    if (!record) continue
    const isBad = BAD.test(record.event.type)
    const isBusy = record.tags.includes('in-flight')
    context.fillStyle = (isBad ? bad : isBusy ? busy : calm) ?? ''
    const tall = isBad ? 1 : isBusy ? 0.72 : 0.4
    const columns = Math.max(1, perRecord * step - (perRecord > 4 ? ratio : 0))
    context.fillRect(at * perRecord, height * (1 - tall), columns, height * tall)
  }
  const line = (at: number, style: string | undefined) => {
    context.fillStyle = style ?? ''
    context.fillRect(Math.min(width - 2 * ratio, (at + 0.5) * perRecord - ratio), 0, 2 * ratio, height)
  }
  if (other !== undefined) line(other, second)
  line(index, mark)
}

const valueText = (record: JournalRecord | undefined, index: number, size: number) =>
  record ? `${index + 1} of ${size}: ${record.event.type} at ${clockTime(record.at)}, ${record.to}` : 'no records'

export const Slider = (props: SliderProps) => {
  const { records, size, index, onChange } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    draw(element, props)
    const observer = new ResizeObserver(batched(0, () => element.isConnected && draw(element, props)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [size, index, props.other])
  return (
    <div class="slider">
      <canvas ref={canvas} class="strip" />
      <input
        type="range"
        // biome-ignore lint/a11y/noRedundantRoles: those who look for it by its attribute find it, too
        role="slider"
        aria-label="Timeline"
        min={0}
        max={Math.max(0, size - 1)}
        step={1}
        value={Math.max(0, index)}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, size - 1)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={valueText(records[index], index, size)}
        disabled={size === 0}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
    </div>
  )
}
