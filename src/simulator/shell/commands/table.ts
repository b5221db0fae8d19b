/** Every command of the simulated phone's shell by its name. */
import type { Command, Commands } from '../command.ts'
import { am } from './am.ts'
import {
  breakLoop,
  cd,
  command,
  continueLoop,
  env,
  exec,
  exit,
  exportVariable,
  pwd,
  read,
  runDetached,
  runRest,
  sh,
  trap,
  unset,
  wait,
  which,
} from './builtins.ts'
import { dumpsys } from './dumpsys.ts'
import { df, find, realpath, stat } from './file-facts.ts'
import { cat, cp, ls, mkdir, mv, rm, rmdir, touch } from './files.ts'
import { ime } from './ime.ts'
import { input } from './input.ts'
import { log, logcat } from './logcat.ts'
import { nc } from './nc.ts'
import { cmd, monkey, pm } from './packages.ts'
import { appops } from './permissions.ts'
import { date, id, kill, pidof, pkill, ps, sleep, timeout, uname, whoami } from './process.ts'
import { content, getprop, service, setprop, settings } from './properties.ts'
import { runAs } from './run-as.ts'
import { screencap, uiautomator, wm } from './screen.ts'
import { screenrecord } from './screenrecord.ts'
import { svc } from './system-services.ts'
import { test } from './test.ts'
import { base64, echo, grep, head, md5sum, printf, sha1sum, sha256sum, tail, wc } from './text.ts'

const succeed: Command = () => 0
const no: Command = () => 1

export const COMMANDS: Commands = {
  ...{
    am,
    appops,
    cmd,
    content,
    dumpsys,
    getprop,
    ime,
    input,
    log,
    logcat,
    monkey,
    pm,
    screencap,
    service,
    screenrecord,
    settings,
    setprop,
    svc,
    uiautomator,
    wm,
  },
  ...{
    base64,
    cat,
    cp,
    date,
    df,
    echo,
    env,
    find,
    grep,
    head,
    id,
    kill,
    ls,
    md5sum,
    mkdir,
    mv,
    pidof,
    nc,
    pkill,
    printf,
    ps,
    pwd,
    realpath,
    rm,
    rmdir,
    sha1sum,
  },
  ...{ sha256sum, sh, sleep, stat, tail, test, timeout, touch, uname, wc, which, whoami },
  'run-as': runAs,
  ...{
    cd,
    command,
    exec,
    exit,
    read,
    trap,
    unset,
    export: exportVariable,
    break: breakLoop,
    continue: continueLoop,
    '[': test,
    ':': succeed,
    true: succeed,
    false: no,
  },
  /** Changes nothing that can be seen here. */
  ...{ chmod: succeed, set: succeed, sync: succeed, wait },
  ...{ nice: runRest, nohup: runDetached, setsid: runDetached, toybox: runRest },
}
