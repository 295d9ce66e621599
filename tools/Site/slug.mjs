// The anchors of headings as GitHub makes them, so that one link works there and on the site.
export function slug(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '').replaceAll(' ', '-');
}
