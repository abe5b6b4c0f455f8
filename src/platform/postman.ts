// The Postman collection: the tokens of requests, and the response values that scripts store for later requests.
import type { OpenApiDocument } from '#kit/http/openapi.ts'
import { type PostmanCollection, type PostmanFlow, postmanCollection } from '#kit/http/postman.ts'

const tokenPaths = {
  sessionToken: 'data.sessionToken',
  refreshToken: 'data.refreshToken',
  sessionExpiresAt: 'data.sessionExpiresAt',
}

const flow: PostmanFlow = {
  tokens: { apiKey: 'apiKey', sessionToken: 'sessionToken', refreshToken: 'refreshToken' },
  captures: {
    postApiLabSessions: { embedUrl: 'embedUrl' },
    postApiLabWebhookEndpoints: { id: 'id', webhookSecret: 'secret' },
    postApiV1HeadlessSessions: { ...tokenPaths, journeyID: 'data.activeJourney.journeyID' },
    postApiV1HeadlessSessionsRefresh: tokenPaths,
    postApiV1HeadlessJourneys: { journeyID: 'data.journeyID' },
    postApiV1HeadlessJourneysJourneyIDAaSessions: { aaSessionID: 'data.aaSessionID' },
    postApiV1HeadlessJourneysJourneyIDPostDisbursalForeclosure: { operationID: 'data.operationID' },
    getApiV1HeadlessJourneysJourneyIDOffers: { offerID: 'data.items.0.offerID' },
  },
  before: {
    // Refreshes the session half a minute before it expires.
    'Headless API': [
      "const left = Date.parse(pm.collectionVariables.get('sessionExpiresAt') || '') - Date.now()",
      'if (left < 30000 && !/headless\\/sessions/.test(pm.request.url.getPath()))',
      '  pm.sendRequest({',
      "    url: pm.collectionVariables.get('baseUrl') + '/api/v1/headless/sessions/refresh',",
      "    method: 'POST',",
      '    header: {',
      "      Authorization: 'Bearer ' + pm.collectionVariables.get('refreshToken'),",
      "      'Content-Type': 'application/json',",
      "      'Idempotency-Key': pm.variables.replaceIn('{{$guid}}'),",
      '    },',
      "    body: { mode: 'raw', raw: '{}' },",
      '  }, (error, response) => {',
      '    const data = error || response.code !== 200 ? {} : response.json().data',
      "    for (const name of ['sessionToken', 'refreshToken', 'sessionExpiresAt'])",
      '      if (data[name]) pm.collectionVariables.set(name, data[name])',
      '  })',
    ],
  },
}

/** Builds the collection from the OpenAPI document for integrators. */
export const platformCollection = (document: OpenApiDocument): PostmanCollection => postmanCollection(document, flow)
