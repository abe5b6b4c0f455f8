// Every generated file by its path: pages of `docs`, and the types of messages.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from '@lendloom/cli/src/installation.ts'
import { withTables } from '@lendloom/cli/src/scenarios.ts'
import { apiChangelog } from './api-changes.ts'
import { browserPage } from './browsers.ts'
import { operationsFile } from './console-operations.ts'
import { dataModel, type Schema } from './data-model.ts'
import { railsPage } from './debit-rails.ts'
import { type Pages, pagesWithCode } from './markdown.ts'
import { messagePlaces } from './message-places.ts'
import { asFile, decisionIndex, operationPage, partnerDocument, platformDocument } from './openapi.ts'
import { pagesWithMessages } from './page-messages.ts'
import { errorPage, eventPage, settingsPage, webhookPage } from './reference.ts'
import { retryPage } from './retries.ts'
import { stateMachines } from './state-machines.ts'

/** The current content of the files; `schema` is read from freshly migrated databases. */
export const generatedPages = async (schema: Schema): Promise<Pages> => ({
  'apps/cli/src/console/operations.json': operationsFile(),
  'docs/decisions/README.md': decisionIndex(),
  'docs/explanation/data-model.md': dataModel(schema),
  'docs/explanation/state-machines.md': stateMachines(),
  'docs/reference/api-changelog.md': apiChangelog(),
  'docs/reference/browsers.md': browserPage(),
  'docs/reference/debit-rails.md': railsPage(),
  'docs/reference/errors.md': errorPage(),
  'docs/reference/events.md': eventPage(),
  'docs/reference/http.md': operationPage(),
  'docs/reference/openapi/partner.json': asFile(partnerDocument()),
  'docs/reference/openapi/platform.json': asFile(platformDocument()),
  'docs/reference/retries.md': retryPage(),
  'docs/reference/settings.md': settingsPage(),
  'docs/reference/webhooks.md': webhookPage(),
  'docs/reference/sandbox.md': withTables(readFileSync(join(home, 'docs/reference/sandbox.md'), 'utf8')),
  ...messagePlaces(),
  ...pagesWithCode(),
  ...pagesWithMessages(),
})
