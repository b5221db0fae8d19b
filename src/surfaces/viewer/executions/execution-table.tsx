/** Executions as a table: what each did, where, how it ended. A column that says the same in every row is a line above it. */

import type { ExecutionSummary } from '../../../contracts/doors/viewer.ts'
import { type Columns, columnsOf, OPTIONAL } from '../columns.ts'
import { dateTime, duration, shortId, shortTime } from '../format.ts'
import { actors } from '../live.ts'
import { Badge } from '../marks.tsx'
import { executionTitle, RUN_PREFIX, standingOf } from '../names.ts'
import { open } from '../parts.tsx'
import { hrefOf } from '../route.ts'
import { now } from '../time.ts'

export const OutcomeBadge = ({ execution }: { execution: ExecutionSummary }) => {
  const { tone, word } = standingOf(execution)
  return <Badge text={word} tone={tone} title={execution.message} />
}

const tookOf = ({ acceptedAt, settledAt }: ExecutionSummary): string =>
  settledAt === undefined ? '…' : duration(Math.max(0, settledAt - acceptedAt))

/** A run is named by its skill where the page knows it. */
const runName = (runId: string): string => actors.value.get(RUN_PREFIX + runId)?.work.skillId ?? shortId(runId)

const ExecutionRow = ({ execution, shown }: { execution: ExecutionSummary; shown: Columns['shown'] }) => {
  const { executionId, deviceId, operatorPackage, skillRunId, acceptedAt } = execution
  const href = hrefOf('executions', executionId)
  return (
    <tr data-execution={executionId} onClick={open(href)}>
      <td class="cell-outcome">
        <OutcomeBadge execution={execution} />
      </td>
      <td class="cell-what">
        <a href={href}>{executionTitle(execution)}</a>
      </td>
      {shown.has('deviceId') && (
        <td data-label="on">
          <a href={hrefOf('devices', deviceId)}>{deviceId}</a>
        </td>
      )}
      <td data-label="took" class="number">
        {tookOf(execution)}
      </td>
      <td data-label="at" class="number muted" title={dateTime(acceptedAt)}>
        {shortTime(acceptedAt, now())}
      </td>
      {shown.has('operatorPackage') && (
        <td data-label="by" class="muted">
          {operatorPackage}
        </td>
      )}
      {shown.has('skillRunId') && (
        <td data-label="run">
          {skillRunId !== undefined && <a href={hrefOf('skill-runs', skillRunId)}>{runName(skillRunId)}</a>}
        </td>
      )}
    </tr>
  )
}

export const ExecutionTable = ({ executions, label }: { executions: readonly ExecutionSummary[]; label: string }) => {
  const { shown, shared } = columnsOf(executions)
  const names = ['Outcome', 'What it did', ...(shown.has('deviceId') ? ['Device'] : []), 'Took', 'Accepted']
  for (const [key, name] of OPTIONAL) if (key !== 'deviceId' && shown.has(key)) names.push(name)
  return (
    <div class="table-box">
      {shared.length > 0 && (
        <p class="table-shared muted">
          {shared.map(([name, value]) => (
            <span key={name}>
              {name} <b>{name === 'Skill run' ? runName(value) : value}</b>
            </span>
          ))}
        </p>
      )}
      <table class="table stacked" aria-label={label}>
        <thead>
          <tr>
            {names.map(name => (
              <th key={name} scope="col" class={name === 'Took' || name === 'Accepted' ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {executions.map(execution => (
            <ExecutionRow key={execution.executionId} execution={execution} shown={shown} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
