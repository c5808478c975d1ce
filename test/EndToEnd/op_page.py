def page(cases, said, results, targets):
    return ""
