// The migrations of the table of this package: request_count.
import { join } from 'node:path'
import type { MigrationFolder } from '@lendloom/postgres/migrate'

export const httpMigrations: MigrationFolder = { owner: 'http', directory: join(import.meta.dirname, 'migrations') }
