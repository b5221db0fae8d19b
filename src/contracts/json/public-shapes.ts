/** All public shapes by name: what OpenAPI and the published schemas are made of. */
import type * as v from 'valibot'
import { Retry } from '../actions/shape.ts'
import { BuildIdentity, DaemonLock, DaemonMetadata, DaemonReport, DaemonResponse, VersionResponse } from '../daemon.ts'
import { AppInfo, AppResponse, AppsQuery, AppsResponse, ListedApp } from '../device/apps.ts'
import * as avds from '../device/avd.ts'
import {
  DeviceInfo,
  DeviceRecord,
  DeviceResponse,
  DevicesQuery,
  DevicesResponse,
  ListedDevice,
} from '../device/device.ts'
import { FilesQuery, FilesResponse, ListedFile } from '../device/device-files.ts'
import { ElementIdentity } from '../device/element-identity.ts'
import * as forwards from '../device/forwards.ts'
import { LogGap, LogLine, LogLinesQuery, LogLinesResponse, LogsQuery, PlacedLogLine } from '../device/logs.ts'
import { Notification, NotificationsResponse } from '../device/notifications.ts'
import { HostFrame, OperatorFrame, OperatorRequest, ResultChunk, WireEnvelope } from '../device/operator.ts'
import * as perf from '../device/perf.ts'
import { SettingsResponse } from '../device/settings.ts'
import * as http from '../doors/http.ts'
import { ExecutionData, HeartbeatData, ResultData } from '../doors/sse.ts'
import * as viewer from '../doors/viewer.ts'
import { Action } from '../executions/action.ts'
import { Execution } from '../executions/execution.ts'
import {
  DeviceCommandOutput,
  DryRunOutput,
  EnvelopeError,
  ExecutionResult,
  ExecutionSuccess,
  ResultEnvelope,
  StepResult,
  ValidateOnlyOutput,
} from '../executions/execution-result.ts'
import { Matcher, RelatedMatcher } from '../executions/matcher.ts'
import { Receipt, ReceiptOutput, ReceiptResponse, ReceiptsOutput, ReceiptsResponse } from '../executions/receipt.ts'
import { CliFailure, ErrorObject, HttpFailure } from '../failures/error.ts'
import * as fleet from '../fleet.ts'
import { GapData } from '../fleet-log.ts'
import { FlowSelector } from '../flows/flow-selector.ts'
import { TestRunResponse, TestRunsResponse } from '../flows/test-run.ts'
import { TestRunBegun, TestRunRequest } from '../flows/test-run-request.ts'
import * as install from '../install.ts'
import * as parcel from '../parcel.ts'
import { RECORDING_SCHEMAS, RecordedPart } from '../recording.ts'
import * as actors from '../records/actor.ts'
import { LEASE_SCHEMAS } from '../reservation.ts'
import * as registry from '../skills/registry.ts'
import * as skillCommands from '../skills/skill-commands.ts'
import { SkillAgent, SkillContract, SkillJson } from '../skills/skill-json.ts'
import { Checkpoint, ResultValue, SkillResult, SkillResultFrame, SkillSource } from '../skills/skill-result.ts'
import { SkillRunOutcome, SkillRunResponse } from '../skills/skill-run.ts'

export const SCHEMAS = {
  CliFailure,
  ErrorObject,
  HttpFailure,
  BuildIdentity,
  PingResponse: http.PingResponse,
  HealthResponse: http.HealthResponse,
  VersionResponse,
  DeviceInfo,
  DeviceRecord,
  DeviceResponse,
  ListedDevice,
  DevicesQuery,
  DevicesResponse,
  AppsQuery,
  ListedApp,
  AppsResponse,
  LogGap,
  LogLine,
  LogLinesQuery,
  LogLinesResponse,
  LogsQuery,
  PlacedLogLine,
  Notification,
  NotificationsResponse,
  ...RECORDING_SCHEMAS,
  ...LEASE_SCHEMAS,
  TestRunBegun,
  TestRunRequest,
  TestRunResponse,
  TestRunsResponse,
  RecordedPart,
  AppInfo,
  AppResponse,
  FilesQuery,
  ListedFile,
  FilesResponse,
  SettingsResponse,
  Frames: perf.Frames,
  FramesResponse: perf.FramesResponse,
  Memory: perf.Memory,
  MemoryResponse: perf.MemoryResponse,
  Forward: forwards.Forward,
  ForwardBody: forwards.ForwardBody,
  ForwardResponse: forwards.ForwardResponse,
  ForwardsResponse: forwards.ForwardsResponse,
  ReverseBody: forwards.ReverseBody,
  ReverseResponse: forwards.ReverseResponse,
  ReversesResponse: forwards.ReversesResponse,

  ElementIdentity,
  FlowSelector,
  Matcher,
  RelatedMatcher,
  Retry,
  Action,
  Execution,
  ExecuteRequest: http.ExecuteRequest,
  SnapshotBody: http.SnapshotBody,
  ScreenshotBody: http.ScreenshotBody,
  LookBody: http.LookBody,
  ResumeBody: http.ResumeBody,
  StepResult,
  EnvelopeError,
  ResultEnvelope,
  ExecutionSuccess,
  ExecutionResult,
  Receipt,
  ReceiptOutput,
  ReceiptsOutput,
  ReceiptResponse,
  ReceiptsResponse,
  ExecutionsQuery: http.ExecutionsQuery,
  DeviceCommandOutput,
  ValidateOnlyOutput,
  DryRunOutput,

  HeartbeatData,
  GapData,
  ResultData,
  ExecutionData,
  ActorSummary: actors.ActorSummary,
  StepProgress: actors.StepProgress,
  TransitionRecord: actors.TransitionRecord,
  HistoryEvent: actors.HistoryEvent,
  ActorsResponse: actors.ActorsResponse,
  ActorResponse: actors.ActorResponse,
  ActorHistoryResponse: actors.ActorHistoryResponse,
  HistoryQuery: http.HistoryQuery,
  ExecutionQuery: http.ExecutionQuery,
  PictureQuery: http.PictureQuery,
  BroughtQuery: http.BroughtQuery,
  TransitionsQuery: http.TransitionsQuery,
  EventsQuery: http.EventsQuery,
  ViewedActorsResponse: viewer.ViewedActorsResponse,
  ActorRecordsResponse: viewer.ActorRecordsResponse,
  RecordBodyResponse: viewer.RecordBodyResponse,
  ExecutionSummary: viewer.ExecutionSummary,
  ExecutionSummariesQuery: viewer.ExecutionSummariesQuery,
  ExecutionSummariesResponse: viewer.ExecutionSummariesResponse,
  TraceResponse: viewer.TraceResponse,
  DeviceScreenResponse: viewer.DeviceScreenResponse,

  RegistryEntry: registry.RegistryEntry,
  RegistryFile: registry.RegistryFile,
  SkillsQuery: http.SkillsQuery,
  SkillsOutput: registry.SkillsOutput,
  SkillOutput: registry.SkillOutput,
  SkillsResponse: registry.SkillsResponse,
  SkillResponse: registry.SkillResponse,
  SkillAgent,
  SkillContract,
  SkillJson,
  ResultValue,
  Checkpoint,
  SkillSource,
  SkillResultFrame,
  SkillResult,
  SkillRunBody: http.SkillRunBody,
  SkillRunOutcome,
  SkillRunResponse,
  RecipeFile: skillCommands.RecipeFile,
  CompiledArtifact: skillCommands.CompiledArtifact,
  SkillValidated: skillCommands.SkillValidated,
  SkillsValidated: skillCommands.SkillsValidated,
  SkillsInvalid: skillCommands.SkillsInvalid,
  SkillCreated: skillCommands.SkillCreated,
  SkillRecorded: skillCommands.SkillRecorded,
  SkillsSynced: skillCommands.SkillsSynced,
  AuthoringList: install.AuthoringList,
  AuthoringStatus: install.AuthoringStatus,
  AuthoringInstalled: install.AuthoringInstalled,
  Installed: install.Installed,
  UpgradeChecked: install.UpgradeChecked,

  ConfiguredAvd: avds.ConfiguredAvd,
  RunningEmulator: avds.RunningEmulator,
  AvdCreateRequest: avds.AvdCreateRequest,
  StartRequest: avds.StartRequest,
  ProvisionRequest: avds.ProvisionRequest,
  AvdsResponse: avds.AvdsResponse,
  RunningEmulatorsResponse: avds.RunningEmulatorsResponse,
  AvdResponse: avds.AvdResponse,
  AvdStartResponse: avds.AvdStartResponse,
  AvdStopResponse: avds.AvdStopResponse,
  AvdDeleteResponse: avds.AvdDeleteResponse,
  ProvisionResponse: avds.ProvisionResponse,

  FleetHostStatus: fleet.FleetHostStatus,
  FleetStatusResponse: fleet.FleetStatusResponse,
  FleetHostResponse: fleet.FleetHostResponse,
  ParcelPiece: parcel.ParcelPiece,
  ParcelReceived: parcel.ParcelReceived,
  BroughtPiece: parcel.BroughtPiece,

  DaemonMetadata,
  DaemonLock,
  DaemonReport,
  DaemonResponse,

  OperatorRequest,
  WireEnvelope,
  ResultChunk,
  OperatorFrame,
  HostFrame,
} as const satisfies Record<string, v.GenericSchema>
export type SchemaName = keyof typeof SCHEMAS
