// The migrations of the partner's database: those of the packages whose tables it has, and its own.
import { join } from 'node:path'
import { eventLogMigrations } from '@lendloom/event-log/migrations'
import { httpMigrations } from '@lendloom/http/migrations'
import { identityMigrations } from '@lendloom/identity/migrations'
import type { Migrations } from '@lendloom/postgres/migrate'
import { postgresMigrations } from '@lendloom/postgres/migrations'
import { queueMigrations } from '@lendloom/queue/migrations'

export const migrations: Migrations = {
  folders: [
    postgresMigrations,
    httpMigrations,
    queueMigrations,
    eventLogMigrations,
    identityMigrations,
    { directory: join(import.meta.dirname, 'migrations') },
  ],
  // With tables that packages bring now. The first one is of 0.1.0, the later ones were never released.
  replaced: [
    {
      name: '001-foundation.sql',
      digest: '500867557b2c835c9c4e66f2cf02fc79a75983f80f7aa66ce205049174566277',
      by: [
        'postgres/001-digest-key.sql',
        'queue/001-job.sql',
        'event-log/001-inbox-and-outbox.sql',
        'identity/001-sign-in.sql',
        '001-tables.sql',
      ],
    },
    {
      name: '002-telemetry.sql',
      digest: '9097deb7e410b485a92b405448e775e46ce829ce491b76a8976039449d185d21',
      by: ['queue/002-traceparent.sql', 'event-log/002-traceparent.sql'],
    },
    {
      name: '003-request-count.sql',
      digest: '9354c8e59a5a4a18d82c986f2fbc6bc8aaf0885bd3fc356cfe5e303ba3df8d61',
      by: ['http/001-request-count.sql'],
    },
    {
      name: '004-archive.sql',
      digest: '378d6c8b527ad9e45bc99171c96be6dee2390e3e80bc620bb1a7b3cb1abf7410',
      by: ['event-log/003-archived-bodies.sql', '004-archive-key.sql'],
    },
    {
      name: '021-keyed-content.sql',
      digest: '9de4620012a5ed3be802af436e0649b9628d534733d2e8d115e768d3c4018884',
      by: ['event-log/004-keyed-content.sql', '021-keyed-files.sql'],
    },
    {
      name: '022-plain-content.concurrent.sql',
      digest: 'e72e033c2c9b524f77ef82ceb9c74154d66a374da9199bc81a2fcbcf0ffc9020',
      by: ['event-log/005-plain-content.concurrent.sql', '022-plain-files.concurrent.sql'],
    },
    {
      name: '023-session-allowed-by.sql',
      digest: 'c50b3bb6b459219c9d3be006c76243afff3b3c692658e780d425eca2604641a8',
      by: ['identity/002-session-allowed-by.sql'],
    },
  ],
}
