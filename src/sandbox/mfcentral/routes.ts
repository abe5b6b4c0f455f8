// MF Central, the platform of the mutual funds' registrars: its client API, and its pages for investors.
import { refusedAs } from '#contract/network/errors.ts'
import type { Api } from '#kit/http/server.ts'
import { enrolClient, getCasDocument, giveToken, newCasRequest } from './api.ts'
import type { MfCentralContext } from './context.ts'
import { provePage, sharePage, startPage } from './pages.ts'

export const mfCentralApi: Api<MfCentralContext> = {
  prefix: '/mfcentral',
  routes: [giveToken, enrolClient, newCasRequest, getCasDocument, startPage, provePage, sharePage],
  refuse: refusedAs('BPP'),
}
