// The address at which a case file is downloaded. Its suffix `/view` is the page of the file, and `/inline` is the file
// that this page embeds.

export const addressOf = (caseRef: string, documentId: string): string =>
  `/desk/cases/${encodeURIComponent(caseRef)}/documents/${documentId}`
