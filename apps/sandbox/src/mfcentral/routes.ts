// The API of MF Central, the registrars' platform: its client API and its investor pages.

import type { Api } from '@lendloom/http/server'
import { refusedAs } from '@lendloom/wire/network/errors'
import { enrolClient, getCasDocument, issueToken, newCasRequest } from './client-api.ts'
import type { MfCentralContext } from './context.ts'
import { otpPage, sharePage, startPage } from './investor-pages.ts'

export const mfCentralApi: Api<MfCentralContext> = {
  prefix: '/mfcentral',
  routes: [issueToken, enrolClient, newCasRequest, getCasDocument, startPage, otpPage, sharePage],
  refuse: refusedAs('BPP'),
}
