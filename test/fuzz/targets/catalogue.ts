/** Every target, the quick ones first. */
import type { Target } from '../target.ts'
import { adbPackets, adbServer, addresses, shellFrames } from './adb.ts'
import { argv } from './argv.ts'
import { clientAnswers, clientEvents, daemonAnswers, daemonFiles } from './client.ts'
import { deviceDumps } from './device-dumps.ts'
import { apks, pictures } from './files.ts'
import { fleetAnswers, fleetExchange, fleetLog, fleetRecords, fleetTexts } from './fleet.ts'
import { flows, scriptFrames, workspaces } from './flows.ts'
import { daemonSocket, http } from './http.ts'
import { agentsFiles, rcFiles } from './install.ts'
import { journals } from './journal.ts'
import { cssSelectors, uiSelectors, xpaths } from './locators.ts'
import { logApps, logcatRecords } from './logs.ts'
import { mcpLines, mcpServer } from './mcp.ts'
import { broadcastAnswers, operatorFrames, operatorLog } from './operator-wire.ts'
import { payloads } from './payloads.ts'
import { adbd } from './phone.ts'
import { phoneShell } from './phone-shell.ts'
import { policies } from './policy.ts'
import { dumps, scenarios } from './scenario.ts'
import { helperAnswers, helperScreens, hierarchy } from './screens.ts'
import { recipes, registries, skillFiles, skillOutput } from './skills.ts'
import { inspectorAnswers, inspectorFrames, inspectorPages } from './web-pages.ts'
import { webdriverBodies } from './webdriver.ts'
import { webdriverCommands } from './webdriver-commands.ts'

export const TARGETS: readonly Target[] = [
  adbPackets,
  shellFrames,
  adbServer,
  addresses,
  operatorLog,
  operatorFrames,
  broadcastAnswers,
  hierarchy,
  helperScreens,
  helperAnswers,
  logcatRecords,
  logApps,
  deviceDumps,
  inspectorAnswers,
  inspectorPages,
  inspectorFrames,
  apks,
  pictures,
  payloads,
  registries,
  skillFiles,
  recipes,
  skillOutput,
  scenarios,
  dumps,
  policies,
  flows,
  workspaces,
  scriptFrames,
  fleetExchange,
  fleetLog,
  fleetRecords,
  fleetTexts,
  fleetAnswers,
  clientAnswers,
  clientEvents,
  daemonAnswers,
  daemonFiles,
  mcpLines,
  webdriverBodies,
  xpaths,
  uiSelectors,
  cssSelectors,
  agentsFiles,
  rcFiles,
  journals,
  phoneShell,
  adbd,
  mcpServer,
  http,
  daemonSocket,
  webdriverCommands,
  argv,
]
