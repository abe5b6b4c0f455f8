// Replaces everything outside the programs by the simulation; must run before the programs' modules are loaded.

import { installNetwork } from './clients.ts'
import { installDatabases } from './connection.ts'
import { installDisk } from './disk.ts'
import { install } from './install.ts'
import { installOutside } from './outside.ts'
import { Scheduler } from './scheduler.ts'
import { installThreads } from './threads.ts'

export async function installAll(): Promise<void> {
  process.setMaxListeners(0)
  install(new Scheduler())
  installDisk()
  installThreads()
  await installOutside()
  installNetwork()
  installDatabases()
}
