/** A list of rows of one height, of which only those in sight are on the page. */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface RowsProps {
  label: string
  count: number
  height: number
  /** Brought into sight when it changes. */
  at?: number | undefined
  role?: 'list' | 'tree'
  class?: string
  onKeyDown?: (event: KeyboardEvent) => void
  children: (index: number) => ComponentChildren
}

/** A list that is shorter is on the page as a whole, where every search of the browser finds it. */
const WHOLE_ROWS_MAX = 400
const ROWS_BEYOND = 12

export const Rows = ({ label, count, height, at, role = 'list', class: name = '', onKeyDown, children }: RowsProps) => {
  const box = useRef<HTMLElement>(null)
  const [viewport, setViewport] = useState({ top: 0, height: 600 })

  const measure = () => {
    const element = box.current
    if (element && count > WHOLE_ROWS_MAX) setViewport({ top: element.scrollTop, height: element.clientHeight })
  }
  useEffect(measure, [count > WHOLE_ROWS_MAX])
  useLayoutEffect(() => {
    const element = box.current
    if (!element || at === undefined || at < 0) return
    const top = at * height
    const isSeen = top >= element.scrollTop && top + height <= element.scrollTop + element.clientHeight
    if (!isSeen) element.scrollTop = top - element.clientHeight / 2
  }, [at, count])

  const isWhole = count <= WHOLE_ROWS_MAX
  const first = isWhole ? 0 : Math.max(0, Math.floor(viewport.top / height) - ROWS_BEYOND)
  const end = isWhole ? count : Math.min(count, Math.ceil((viewport.top + viewport.height) / height) + ROWS_BEYOND)
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset)
  const Box = role === 'list' ? 'ul' : 'div'
  const Gap = role === 'list' ? 'li' : 'div'
  const gap = (rows: number) => rows > 0 && <Gap role="presentation" style={{ height: `${rows * height}px` }} />
  return (
    <Box
      class={`rows ${name}`}
      ref={box as never}
      {...(role === 'tree' ? { role } : {})}
      aria-label={label}
      onScroll={measure}
      {...(onKeyDown ? { onKeyDown } : {})}
      tabIndex={-1}
    >
      {gap(first)}
      {indexes.map(index => children(index))}
      {gap(count - end)}
    </Box>
  )
}
