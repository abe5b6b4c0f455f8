// What the command line may do with tenants and their applications.

export { listTenants } from '#platform/access/tenant/store.ts'
export { createApplication, createTenant, enableProducts } from '#platform/access/tenant.ts'
