/** Requests about skills and their runs. */

import { SKILL_RUN_HEADER } from '../doors/headers.ts'
import { SkillRunBody, SkillsQuery } from '../doors/http.ts'
import { TraceResponse } from '../doors/viewer.ts'
import { SkillResponse, SkillsResponse } from '../skills/registry.ts'
import { SkillRunResponse } from '../skills/skill-run.ts'
import { EXECUTION_FAILURES, type OperationGroup } from './operation.ts'

const TRACE_FAILURES = ['ACTOR_NOT_FOUND', 'NOT_FOUND', 'JOURNAL_UNAVAILABLE'] as const

export const skills = {
  'skills.list': {
    tag: 'Skills',
    summary: 'The skills of the registry; app and intent match exactly, keyword is a part of id, summary or app.',
    query: SkillsQuery,
    answers: SkillsResponse,
    failures: ['INVALID_QUERY', 'REGISTRY_READ_FAILED'],
  },
  'skills.get': {
    tag: 'Skills',
    summary: 'One skill of the registry.',
    answers: SkillResponse,
    failures: ['SKILL_NOT_FOUND', 'REGISTRY_READ_FAILED'],
  },
  'skills.run': {
    tag: 'Skills',
    summary: 'Runs a skill; ok is null when a declared verification was not proved.',
    body: SkillRunBody,
    answers: SkillRunResponse,
    answerHeaders: { [SKILL_RUN_HEADER]: 'The run: GET /executions?skillRunId= lists what it did on the device.' },
    failures: [
      'INVALID_BODY',
      'INVALID_JSON',
      'INVALID_DEVICE_ID',
      'INVALID_ARGS',
      'INVALID_TIMEOUT_MS',
      'INVALID_EXPECT_CONTAINS',
      'REGISTRY_READ_FAILED',
      'SKILL_NOT_FOUND',
      'SKILL_VALIDATION_FAILED',
      'SKILL_SCRIPT_NOT_FOUND',
      'SKILL_AGENT_CLI_UNAVAILABLE',
      'SKILL_EXECUTION_FAILED',
      'SKILL_EXECUTION_TIMEOUT',
      'SKILL_OUTPUT_ASSERTION_FAILED',
      'SKILL_RESULT_PARSE_FAILED',
      'INTERNAL_ERROR',
      ...EXECUTION_FAILURES,
    ],
  },
  'skillRuns.trace': {
    tag: 'Viewer',
    summary: 'What happened in one skill run: its executions step by step, and its records.',
    answers: TraceResponse,
    failures: TRACE_FAILURES,
  },
  'skillRuns.traceFile': {
    tag: 'Viewer',
    summary: 'The same as one HTML file that opens from disk.',
    answers: { type: 'text/html' },
    failures: TRACE_FAILURES,
  },
} as const satisfies OperationGroup
