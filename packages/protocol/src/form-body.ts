// Which request bodies are read as form parameters.
// Source: http-v1 contract 1.3; old Java clients send forms without a content type.

const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Whether a body holds form parameters: the form media type in any case and with any parameters, or no content type at all.
 *
 * @param contentType - value of the `Content-Type` header, undefined when absent
 */
export function isFormBody(contentType: string | undefined): boolean {
  if (contentType === undefined) return true;
  const semicolon = contentType.indexOf(';');
  const mediaType = semicolon < 0 ? contentType : contentType.slice(0, semicolon);
  const bare = mediaType.trim();
  return bare === '' || bare === FORM_TYPE || bare.toLowerCase() === FORM_TYPE;
}
