// Returns the anchors of headings as GitHub forms them, so that a link works there and on the site.
export function slug(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '').replaceAll(' ', '-');
}
