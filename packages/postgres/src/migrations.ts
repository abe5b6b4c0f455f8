// The migrations of the table of this package: digest_key.
import { join } from 'node:path'
import type { MigrationFolder } from './migrate.ts'

export const postgresMigrations: MigrationFolder = {
  owner: 'postgres',
  directory: join(import.meta.dirname, 'migrations'),
}
