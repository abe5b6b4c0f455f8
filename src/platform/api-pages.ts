// The OpenAPI document at /openapi.json, and a page at /docs that reads it.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

export async function apiPages(app: FastifyInstance, api: Record<string, unknown>): Promise<void> {
  app.get('/openapi.json', () => api)
  await app.register(swagger, { mode: 'static', specification: { document: api as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, defaultModelsExpandDepth: 0 },
    theme: {
      title: 'Lendloom API',
      css: [{ filename: 'lendloom.css', content: '.swagger-ui .topbar { display: none }' }],
    },
    staticCSP: true,
  })
}
