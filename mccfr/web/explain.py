def about_method(method):
    return {"method": str(method), "title": str(method), "about": ""}
