/** Parts that several views share: table heads, rows that are links, problems, empty lists, copying, and the token's form. */

import { useEffect, useState } from 'preact/hooks'
import { hintAt } from '../../contracts/door-words.ts'
import type { ExecutionSummary } from '../../contracts/doors/viewer.ts'
import { foregroundOf, hintBesideLabels, labelListOf } from '../../contracts/failures/failure-labels.ts'
import { type ApiProblem, setToken } from './api.ts'
import { duration, shortId } from './format.ts'
import { JsonView } from './json-view.tsx'
import { Mark } from './marks.tsx'
import { executionTitle } from './names.ts'
import { hrefOf } from './route.ts'

interface WaitingLineProps {
  execution: ExecutionSummary
  /** In the queue of its device, from 1. */
  place: number
  time: number
  showsDevice?: boolean
}

/** A request that waits for its device: since when, and behind how many. */
export const WaitingLine = ({ execution, place, time, showsDevice = true }: WaitingLineProps) => (
  <li>
    <a class="line" href={hrefOf('executions', execution.executionId)} data-waiting={execution.executionId}>
      <Mark tone="wait" alone />
      <span class="line-main">{executionTitle(execution)}</span>
      <span class="line-time">{duration(Math.max(0, time - execution.acceptedAt))}</span>
      <span class="line-more muted">
        {showsDevice && `waits for ${execution.deviceId}, `}
        {place === 1 ? 'next' : `${place - 1} before it`}
      </span>
    </a>
  </li>
)

/** A row leads where its link leads. */
export const open = (href: string) => (event: MouseEvent) => {
  if (!(event.target instanceof Element) || event.target.closest('a')) return
  location.hash = href
}

export const Head = ({ columns }: { columns: readonly string[] }) => (
  <thead>
    <tr>
      {columns.map(column => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
)

/** The labels of the screen and the application in front stand open; the other details are folded. */
const ScreenFacts = ({ details }: { details: ApiProblem['details'] | undefined }) => {
  const list = labelListOf(details)
  const front = foregroundOf(details)
  const others = Object.entries(details ?? {}).filter(([name]) => !['nearest', 'onScreen', 'foreground'].includes(name))
  return (
    <>
      {list && (
        <>
          <p class="muted">{list.title}:</p>
          <ul class="screen-lines" aria-label={list.title}>
            {list.labels.map(label => (
              <li key={label} class="mono">
                {label}
              </li>
            ))}
          </ul>
        </>
      )}
      {front !== undefined && <p>In front: {front}</p>}
      {others.length > 0 && (
        <details>
          <summary>Details</summary>
          <JsonView value={Object.fromEntries(others)} />
        </details>
      )}
    </>
  )
}

export const ProblemCard = ({ problem, role }: { problem: ApiProblem; role: 'alert' | 'note' }) => (
  <div class="problem-card" role={role}>
    <p>
      <b class="mono">{problem.code}</b> {problem.message}
    </p>
    {problem.hint !== undefined && (
      <p class="hint">Hint: {hintBesideLabels(hintAt('cli', problem.hint), problem.details)}</p>
    )}
    <ScreenFacts details={problem.details} />
  </div>
)

/** Nothing is there: why, and commands that change it. */
export const Empty = ({
  children,
  commands = [],
}: {
  children: preact.ComponentChildren
  commands?: readonly string[]
}) => (
  <div class="empty">
    <p class="muted">{children}</p>
    {commands.map(command => (
      <div key={command} class="copy">
        <code>{command}</code>
        <CopyButton name="Copy" text={command} />
      </div>
    ))}
  </div>
)

/** The server could not be read: why, and another try. */
export const ReadProblem = ({ problem, onRetry }: { problem: ApiProblem; onRetry?: (() => void) | undefined }) => (
  <div class="read-problem" role="alert">
    <ProblemCard problem={problem} role="note" />
    {onRetry && (
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    )}
  </div>
)

/** An id: short to read, whole to copy. */
export const CopyableId = ({ id }: { id: string }) => (
  <span class="copyable-id">
    <code class="mono" title={id}>
      {shortId(id)}
    </code>
    <CopyButton name="Copy id" text={id} title={id} />
  </span>
)

/** Says on itself whether the text was copied, until there is another text. */
export const CopyButton = ({ name, text, title }: { name: string; text: string; title?: string }) => {
  const [label, setLabel] = useState(name)
  useEffect(() => setLabel(name), [name, text])
  const copy = async () => {
    // Pages that came over plain HTTP from another host have no clipboard.
    const clipboard = navigator.clipboard as Clipboard | undefined
    const copied = clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setLabel((await copied) ? 'Copied' : 'Not copied')
  }
  return (
    <button type="button" onClick={() => void copy()} title={title}>
      {label}
    </button>
  )
}

/** Asks for the token where the server needs one. */
export const TokenForm = () => {
  const [text, setText] = useState('')
  return (
    <main class="page token">
      <h1>This server needs its token</h1>
      <p>It was printed when svc serve started, or is the value of SVC_SERVE_TOKEN. It is kept for this tab only.</p>
      <form
        onSubmit={event => {
          event.preventDefault()
          setToken(text.trim())
        }}
      >
        <label>
          <span>Token</span>
          <input
            type="password"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={text.trim() === ''}>
          Continue
        </button>
      </form>
    </main>
  )
}
