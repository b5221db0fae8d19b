/** The service behind the routes and commands about skills: the registry as it is now, and a run. */
import type { Loaded } from './registry/load.ts'
import type { FinishedRun } from './run/finished-run.ts'
import type { SkillRunRequest } from './run/request.ts'

export interface RunRequest extends SkillRunRequest {
  /** `--registry <file>`; without it the registry is looked for where it usually is. */
  registry?: string | undefined
}

export interface Skills {
  /** Read again only when the file has changed. */
  load(): Loaded
  run(request: RunRequest): Promise<FinishedRun>
}
