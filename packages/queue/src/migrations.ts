// The migrations of the table of this package: job.
import { join } from 'node:path'
import type { MigrationFolder } from '@lendloom/postgres/migrate'

export const queueMigrations: MigrationFolder = { owner: 'queue', directory: join(import.meta.dirname, 'migrations') }
