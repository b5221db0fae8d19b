/** The text of a flow, with the lines that were performed marked by how their commands ended. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { FlowCommandResult } from '../../../contracts/flows/test-run.ts'
import { Mark } from '../marks.tsx'
import { verdictTone } from './test-marks.tsx'

export interface SourceProps {
  file: string
  text: string
  commands: readonly FlowCommandResult[]
  /** The line of the chosen command, from 1. */
  at: number | undefined
  /** The line of the error of the attempt. */
  failedAt: number | undefined
  onChoose(index: number): void
}

/** The last command of each line, which a loop may have performed before. */
const commandsByLine = (commands: readonly FlowCommandResult[], file: string) =>
  new Map(commands.flatMap((command, index) => (command.file === file ? [[command.line, { command, index }]] : [])))

export const Source = ({ file, text, commands, at, failedAt, onChoose }: SourceProps) => {
  const box = useRef<HTMLOListElement>(null)
  const byLine = useMemo(() => commandsByLine(commands, file), [commands, file])
  useEffect(() => {
    const line = box.current?.querySelector<HTMLElement>('.chosen')
    if (box.current && line) box.current.scrollTop = line.offsetTop - box.current.clientHeight / 2
  }, [file, at])
  return (
    <section class="card source" aria-label={`Text of ${file}`}>
      <h3 class="mono">{file}</h3>
      <ol ref={box}>
        {text.split(/\r?\n/).map((line, index) => {
          const number = index + 1
          const found = byLine.get(number)
          const isFailed = number === failedAt
          return (
            <li key={number} class={`${number === at ? 'chosen' : ''} ${isFailed ? 'failed' : ''}`}>
              <span class="source-number">{number}</span>
              <span class="source-mark">
                {found && <Mark tone={verdictTone(found.command.verdict)} alone />}
                {!found && isFailed && <Mark tone="bad" alone />}
              </span>
              {found ? (
                <button type="button" title={found.command.text} onClick={() => onChoose(found.index)}>
                  {line || ' '}
                </button>
              ) : (
                <code>{line || ' '}</code>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
