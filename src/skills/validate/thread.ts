/** The thread in which pieces of `svc skills validate --all` are judged; a bundle of its own. */
import { serveTasks } from '../../workers/thread.ts'
import { judgeSkills, type ValidationChunk, type Verdict } from './judge.ts'

serveTasks<ValidationChunk, Verdict[]>(judgeSkills)
