// The migrations of the tables of this package: what sign-in stores, and the ends of audit logs.
import { join } from 'node:path'
import type { MigrationFolder } from '@lendloom/postgres/migrate'

export const identityMigrations: MigrationFolder = {
  owner: 'identity',
  directory: join(import.meta.dirname, 'migrations'),
}
