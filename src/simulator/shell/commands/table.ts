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
  runRest,
  sh,
  trap,
  unset,
  which,
} from './builtins.ts'
import { dumpsys } from './dumpsys.ts'
import { cat, cp, ls, mkdir, mv, rm, stat, touch } from './files.ts'
import { ime } from './ime.ts'
import { input } from './input.ts'
import { log, logcat } from './logcat.ts'
import { cmd, monkey, pm } from './packages.ts'
import { date, id, kill, pidof, ps, sleep, timeout, uname, whoami } from './process.ts'
import { content, getprop, setprop, settings } from './properties.ts'
import { screencap, uiautomator, wm } from './screen.ts'
import { test } from './test.ts'
import { base64, echo, grep, head, md5sum, printf, sha1sum, sha256sum, tail, wc } from './text.ts'

const succeed: Command = () => 0
const no: Command = () => 1

export const COMMANDS: Commands = {
  ...{
    am,
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
    settings,
    setprop,
    uiautomator,
    wm,
  },
  ...{
    base64,
    cat,
    cp,
    date,
    echo,
    env,
    grep,
    head,
    id,
    kill,
    ls,
    md5sum,
    mkdir,
    mv,
    pidof,
    printf,
    ps,
    pwd,
    rm,
    sha1sum,
  },
  ...{ sha256sum, sh, sleep, stat, tail, test, timeout, touch, uname, wc, which, whoami },
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
  ...{ chmod: succeed, set: succeed, svc: succeed, sync: succeed, wait: succeed },
  ...{ nice: runRest, nohup: runRest, setsid: runRest, toybox: runRest },
}
