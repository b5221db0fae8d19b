/** Environment variables that svc reads or sets, for the documentation. Nothing reads them through this table. */
export interface Variable {
  names: readonly string[]
  meaning: string
}

/** By heading, in the order in which they are listed. */
export const ENVIRONMENT: Readonly<Record<string, readonly Variable[]>> = {
  'Home and journal': [
    {
      names: ['SVC_HOME'],
      meaning:
        'the folder in which everything is kept (default `~/.svc`, from `HOME`). It must be an absolute path: a blank or relative one is `USAGE` for every command',
    },
    {
      names: ['SVC_CACHE_DIR'],
      meaning: 'the folder of compiled code (default `~/.svc/cache`); blank: none is kept',
    },
    { names: ['NODE_OPTIONS'], meaning: 'flags of Node' },
    {
      names: ['SVC_JOURNAL'],
      meaning: '`off`: record nothing. No receipts, and no process sees which one owns a device',
    },
  ],
  'Devices and operators': [
    { names: ['SVC_TCP_DEVICES'], meaning: 'devices to speak to directly, without adb: `host:port,...`' },
    {
      names: ['SVC_OPERATOR_PACKAGE'],
      meaning: 'the operator, where `--operator-package` (`operatorPackage` over HTTP) does not name one',
    },
    {
      names: ['SVC_LEASE'],
      meaning:
        'the reservation that commands belong to, where `--lease` does not name one; set for the scripts of skills that run with a lease',
    },
    { names: ['SVC_LEASE_BY'], meaning: '`adb-serial` tells devices apart that share a hardware serial' },
    { names: ['ADB_PATH', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'PATH'], meaning: 'where adb is, in this order' },
    {
      names: ['ADB_SERVER_SOCKET', 'ANDROID_ADB_SERVER_ADDRESS', 'ANDROID_ADB_SERVER_PORT'],
      meaning: 'where the adb server is, as adb itself reads them',
    },
  ],
  'Commands and the daemon': [
    { names: ['SVC_NO_DAEMON'], meaning: '`1` is `--no-daemon`' },
    {
      names: ['SVC_OUTPUT'],
      meaning:
        'how results are printed where `--output` does not say it: `json` (default), `pretty` or `text`; the scripts of skills get JSON',
    },
    {
      names: ['NO_COLOR', 'TERM'],
      meaning: 'text on a terminal has colours unless `NO_COLOR` is set or `TERM` is `dumb`',
    },
    {
      names: ['SVC_DAEMON_IDLE_MS'],
      meaning: 'idle ms before the daemon exits; `0` disables it (default 30 minutes)',
    },
    {
      names: ['SVC_POLICY'],
      meaning:
        'the policy file, where `--policy` does not name one (default `~/.svc/policy.json`). A daemon serves commands with its own value only',
    },
    {
      names: ['DISPLAY', 'WAYLAND_DISPLAY'],
      meaning: 'on Linux, `svc inspect` opens a browser only if one of them is set',
    },
    {
      names: ['ZDOTDIR', 'XDG_CONFIG_HOME'],
      meaning: 'where `svc completion zsh|fish --install` writes, as the shells read them',
    },
    { names: ['CODEX_HOME'], meaning: 'where Codex keeps its skills (default `~/.codex`); an absolute path' },
  ],
  Server: [
    {
      names: ['SVC_SERVE_TOKEN'],
      meaning:
        'the token that callers from other machines send to `svc serve --host ...`: 16 to 4096 ASCII characters without blanks. If it is unset, a token is generated and printed. Skill scripts, daemons and adb do not inherit it',
    },
  ],
  Library: [
    {
      names: ['SVC_URL'],
      meaning:
        'the server that [the library](library.md) connects to where `url` does not name one; without it, the daemon or the server of this user that runs. `SVC_SERVE_TOKEN` is its token',
    },
  ],
  Fleet: [
    {
      names: ['SVC_FLEET'],
      meaning:
        'the NATS servers of a [fleet](fleet.md), `nats://host:4222,...`: `svc serve` joins it, and commands go to the host of their device',
    },
    {
      names: ['SVC_FLEET_NAME', 'SVC_FLEET_HOST'],
      meaning: 'the name of the fleet (default `svc`), the id of this host in it (default: the name of the machine)',
    },
    { names: ['SVC_FLEET_LABELS'], meaning: 'labels of all devices of this host: `key=value,...`' },
    {
      names: ['SVC_FLEET_CREDS', 'SVC_FLEET_CA'],
      meaning: 'a file with an NKey seed or a `.creds` file; certificates of the authority to trust',
    },
    {
      names: ['SVC_FLEET_MONITOR'],
      meaning:
        'monitoring addresses of the servers, `http://host:8222,...`: `svc serve` and `svc doctor` see there when the servers write to disk',
    },
  ],
  Skills: [
    { names: ['SVC_SKILLS_REGISTRY'], meaning: 'the registry of skills, where `--registry` does not name one' },
    {
      names: ['SVC_SKILL_RUN_ID'],
      meaning: 'set for the scripts of skills: their executions are filed under that run',
    },
    {
      names: ['SVC_DEVICE_ID'],
      meaning: 'set for the scripts of skills when `--device` was given: the device of the run',
    },
    {
      names: ['SVC_BIN'],
      meaning:
        'the `svc` that skills call: a program, or a script for Node; by default the one that runs them. In a script it is one word that starts it, see [skills](skills.md#the-script)',
    },
    {
      names: ['TMPDIR'],
      meaning: 'where `SVC_BIN` of a run is when the path of the home has blanks or quotes; then `/tmp`',
    },
  ],
  Emulators: [
    {
      names: ['EMULATOR_PATH', 'AVDMANAGER_PATH', 'SDKMANAGER_PATH'],
      meaning: 'the tools of the Android SDK, before `ANDROID_HOME`, `ANDROID_SDK_ROOT` and `PATH`',
    },
    {
      names: ['ANDROID_AVD_HOME', 'ANDROID_USER_HOME', 'ANDROID_EMULATOR_HOME', 'ANDROID_SDK_HOME'],
      meaning: 'where AVDs are kept, as the SDK reads them (default `~/.android/avd`)',
    },
    { names: ['XDG_RUNTIME_DIR'], meaning: 'where running emulators leave their ports' },
    {
      names: [
        'SVC_EMULATOR_INSTALL_S',
        'SVC_EMULATOR_CREATE_S',
        'SVC_EMULATOR_REGISTER_S',
        'SVC_EMULATOR_BOOT_S',
        'SVC_EMULATOR_STOP_S',
      ],
      meaning: 'limits in seconds for a slow host (defaults 300, 120, 60, 180, 30)',
    },
    {
      names: ['SVC_EMULATOR_REQUEST'],
      meaning: 'set for tools of the SDK and emulators: the request that started them',
    },
  ],
}
