/** The topic `environment`: the variables that svc reads. */
export const ENVIRONMENT = `Environment: the variables that svc reads

A flag wins over its variable.

Everyday
  SVC_HOME                  where everything is kept, an absolute path (default ~/.svc)
  SVC_CACHE_DIR             where compiled code is kept (default ~/.svc/cache); blank: nowhere
  SVC_OUTPUT                the default of --output: json, pretty or text
  SVC_TCP_DEVICES           devices that need no adb: host:port,...
  SVC_OPERATOR_PACKAGE      the default of --operator-package
  SVC_POLICY                the default of --policy
  SVC_NO_DAEMON             1 is --no-daemon
  SVC_DAEMON_IDLE_MS        idle ms before a daemon exits; 0 disables it (default 30 minutes)
  SVC_SKILLS_REGISTRY       the default of --registry
  SVC_JOURNAL               off: record nothing, so there are no receipts
  SVC_LEASE                 the default of --lease
  SVC_LEASE_BY              adb-serial tells devices apart that share a hardware serial
  SVC_SERVE_TOKEN           the token that callers from other machines send to svc serve
  NO_COLOR                  no colours

adb and the Android SDK
  ADB_SERVER_SOCKET, ANDROID_ADB_SERVER_ADDRESS, ANDROID_ADB_SERVER_PORT
                            where the adb server is
  ADB_PATH, ANDROID_HOME, ANDROID_SDK_ROOT, PATH
                            where adb is, in this order
  EMULATOR_PATH, AVDMANAGER_PATH, SDKMANAGER_PATH
                            the other tools of the SDK
  ANDROID_AVD_HOME, ANDROID_USER_HOME, ANDROID_EMULATOR_HOME, ANDROID_SDK_HOME
                            where AVDs are kept (default ~/.android/avd)
  SVC_EMULATOR_INSTALL_S, SVC_EMULATOR_CREATE_S, SVC_EMULATOR_REGISTER_S,
  SVC_EMULATOR_BOOT_S, SVC_EMULATOR_STOP_S
                            limits in seconds (defaults 300, 120, 60, 180, 30)

Fleet
  SVC_FLEET                 NATS servers: nats://host:4222,...
  SVC_FLEET_NAME            the name of the fleet (default svc)
  SVC_FLEET_HOST            the id of this host in it (default: the name of the machine)
  SVC_FLEET_LABELS          labels of all devices of this host: key=value,...
  SVC_FLEET_CREDS           a file with an NKey seed, or a .creds file
  SVC_FLEET_CA              certificates of the authority to trust
  SVC_FLEET_MONITOR         monitoring addresses of the servers: http://host:8222,...

Set for the scripts of skills
  SVC_SKILL_RUN_ID          the run that their executions are filed under
  SVC_DEVICE_ID             the device of the run
  SVC_BIN                   the svc to call

A daemon keeps the environment it was started with. After a change:

  svc daemon restart`
