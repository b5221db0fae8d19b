/** The chosen command of a report: its pictures, and the steps and screens of its executions. */
import { useMemo, useState } from 'preact/hooks'
import { tookMs } from '../../../contracts/flows/test-outcome.ts'
import type { TestReport } from '../../../contracts/flows/test-report.ts'
import type { FlowCommandResult, FlowError } from '../../../contracts/flows/test-run.ts'
import { type Film, filmOf } from '../devices/frames.ts'
import { FilmStrip } from '../executions/step-list.tsx'
import { Steps } from '../executions/steps.tsx'
import { duration } from '../format.ts'
import { Badge } from '../marks.tsx'
import { CopyableId } from '../parts.tsx'
import { ReportFiles, traceOf } from './report-files.tsx'
import { FlowProblem, placeText } from './test-attempt.tsx'
import { verdictTone } from './test-marks.tsx'

/** The step that failed or is in doubt, else the first that acted. */
const firstShown = ({ steps }: Film): number => {
  const bad = steps.findIndex(({ step }) => step.state === 'failed' || step.state === 'unknown')
  return Math.max(0, bad < 0 ? steps.findIndex(({ isActing }) => isActing) : bad)
}

const CommandTraces = ({ report, command }: { report: TestReport; command: FlowCommandResult }) => {
  const { executionIds } = command
  const executions = useMemo(() => executionIds.flatMap(id => traceOf(report, id) ?? []), [report, command])
  const isRun = executions.length > 1
  const film = useMemo(() => filmOf(executions, isRun), [executions])
  const [chosen, choose] = useState(() => firstShown(film))
  const left = executionIds.filter(id => !executions.some(({ executionId }) => executionId === id))
  return (
    <>
      {executions.length > 0 && (
        <>
          <section class="card film-card" aria-label="Film of the command">
            <FilmStrip film={film} chosen={chosen} onChoose={choose} />
          </section>
          <Steps film={film} chosen={chosen} onChoose={choose} isLinked={false} isRun={isRun} isWaiting={false} />
        </>
      )}
      {left.map(id => (
        <p key={id} class="muted">
          The trace of the execution <CopyableId id={id} /> is not in this file. svc executions show prints it.
        </p>
      ))}
      {executionIds.length === 0 && <p class="muted">This command used no phone.</p>}
    </>
  )
}

interface CommandStageProps {
  report: TestReport
  command: FlowCommandResult
  /** The error that stands above already. */
  said: FlowError | undefined
}

const isSame = (one: FlowError, other: FlowError | undefined) =>
  one.code === other?.code && one.message === other.message

export const CommandStage = ({ report, command, said }: CommandStageProps) => (
  <article class="command-stage" aria-label={command.text}>
    <header class="detail-head">
      <h2>{command.text}</h2>
      <Badge text={command.verdict} tone={verdictTone(command.verdict)} />
      <span class="muted">
        {placeText(command)}
        {command.endedAt === undefined ? '' : `, ${duration(tookMs(command))}`}
      </span>
    </header>
    {command.error && !isSame(command.error, said) && <FlowProblem error={command.error} />}
    <ReportFiles report={report} paths={command.files ?? []} name="Files of the command" />
    <CommandTraces key={`${command.index}`} report={report} command={command} />
  </article>
)
