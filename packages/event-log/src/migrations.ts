// The migrations of the tables of this package: the inbox and the outbox.
import { join } from 'node:path'
import type { MigrationFolder } from '@lendloom/postgres/migrate'

export const eventLogMigrations: MigrationFolder = {
  owner: 'event-log',
  directory: join(import.meta.dirname, 'migrations'),
}
